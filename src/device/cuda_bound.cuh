// SPDX-License-Identifier: MIT
// CUDA kernels for the stable step of deformed bodies: each element's share in the bound of the stiffness at its nodes, and
// omega^2 at each node. Included by cuda.cu.
namespace {

// Shares are written like forces (cuda_elements.cuh), sorted by slot; a share is the first of the three numbers of its slot.
template <int kind, int nodes, int law>
__global__ void __launch_bounds__(CAROM_GROUP) share_elements(const carom_thread_block b, const carom_thread_call call) {
    __shared__ double common[nodes * CAROM_GROUP];
    int begin = blockIdx.x * CAROM_GROUP, e = begin + threadIdx.x;
    if (e < b.count)
        carom_thread_share(&b, &call, e, kind, (carom_kernel_law)law, common + threadIdx.x, CAROM_GROUP);
    __syncthreads();
    const carom_thread_group group = b.groups[blockIdx.x];
    const unsigned short *sources = b.sorted_source + (ptrdiff_t)begin * nodes;
    const int *sorted = b.sorted + group.output;
    int count = (b.count - begin < CAROM_GROUP ? b.count - begin : CAROM_GROUP) * nodes;
    for (int r = threadIdx.x; r < group.run_count; r += CAROM_GROUP)
        call.slots[3 * (ptrdiff_t)sorted[r]] = carom_thread_begin_single(&b, &group, sources, r, common);
    for (int i = threadIdx.x; i < count - group.joined; i += CAROM_GROUP)
        call.slots[3 * (ptrdiff_t)sorted[group.run_count + i]] = common[sources[group.joined + i]];
}

template <int kind>
__global__ void __launch_bounds__(CAROM_GROUP) share_alone(const carom_thread_block b, const carom_thread_call call) {
    int e = blockIdx.x * CAROM_GROUP + threadIdx.x;
    if (e < b.count)
        carom_thread_share_alone(&b, &call, e, kind);
}

// Shells have one law; weights of regular patches are in constant memory (cuda_elements.cuh).
template <int kind, int nodes> void launch_shell_share(const carom_thread_block *b, const carom_thread_call *call) {
    int groups = groups_of(b->count);
    if constexpr (nodes == 0) {
        share_alone<kind><<<groups, CAROM_GROUP>>>(*b, *call);
    } else {
        send_weights(b);
        share_elements<kind, nodes, CAROM_KERNEL_ST_VENANT_KIRCHHOFF><<<groups, CAROM_GROUP>>>(*b, *call);
    }
}

#define CAROM_SHARE_LAW(NAME, name, ...)                                                                   \
    case CAROM_KERNEL_##NAME:                                                                              \
        share_elements<kind, nodes, CAROM_KERNEL_##NAME><<<groups_of(b->count), CAROM_GROUP>>>(*b, *call); \
        break;
template <int kind, int nodes> void launch_share(const carom_thread_block *b, const carom_thread_call *call) {
    switch (b->law) {
        CAROM_FINITE_LAWS(CAROM_SHARE_LAW, )
    default: break;
    }
}
#undef CAROM_SHARE_LAW

#define CAROM_SHARE_SOLID(NAME, name, nodes, ...)          \
    case CAROM_THREAD_##NAME:                              \
        launch_share<CAROM_THREAD_##NAME, nodes>(b, call); \
        break;
#define CAROM_SHARE_SHELL(NAME, VARIANT, nodes, ...) \
    case CAROM_THREAD_##NAME: launch_shell_share<CAROM_THREAD_##NAME, nodes>(b, call); break;
void share(const carom_thread_block *b, const carom_thread_call *call) {
    if (b->count == 0)
        return;
    switch (b->kind) {
        CAROM_THREAD_BOUNDED(CAROM_SHARE_SOLID, )
        CAROM_THREAD_SHELLS(CAROM_SHARE_SHELL, )
    default: break;
    }
    holds(cudaGetLastError());
}
#undef CAROM_SHARE_SOLID
#undef CAROM_SHARE_SHELL

// The bits of nonnegative numbers, as integers, have the order of the numbers; those of NaN are larger.
__global__ void find_frequencies(const carom_thread_nodes n, const int *body, unsigned long long *squares) {
    int k = blockIdx.x * CAROM_GROUP + threadIdx.x;
    if (k >= n.count || body[k] < 0)
        return;
    double square = carom_thread_frequency(&n, k);
    if (!(square <= 0))
        atomicMax(&squares[body[k]], (unsigned long long)__double_as_longlong(fabs(square)));
}

void frequency(const carom_thread_nodes *n, const int *body, double *squares) {
    if (n->count)
        find_frequencies<<<groups_of(n->count), CAROM_GROUP>>>(*n, body, (unsigned long long *)squares);
    holds(cudaGetLastError());
}

} // namespace
