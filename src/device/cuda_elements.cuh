// SPDX-License-Identifier: MIT
// CUDA kernels for elements: forces, stiffness damping, energies, and the largest scores of a block (stresses and strains to
// be recorded, element/peak_bounds.h). Included by cuda.cu.
namespace {

// The force of one element in one thread; kind, law and `watches` are compile-time constants. For regular patches of shells
// `law` is the number of quadrature points; for plane elements `watches` selects plane stress.
template <int kind, int law, bool watches>
__device__ __forceinline__ void work(const carom_thread_block &b, const carom_thread_call &call, int e, carom_extremes *found,
                                     const carom_sink &sink) {
    const carom_element_batch at = {&b, &call, e, kind == CAROM_THREAD_HEX8_ONE_POINT, &sink};
    carom_thread_force(&at, kind, (carom_kernel_law)law, watches, law, watches ? found : NULL);
}

// Kinds whose kernels compare stresses.
template <int kind>
constexpr bool compares = false CAROM_THREAD_BY_LAW(CAROM_THREAD_IS, ) CAROM_THREAD_SHELLS(CAROM_THREAD_IS, );

// Kinds with kernels for laws with history, and those of cells of `nodal`.
template <int kind> constexpr bool has_points = false CAROM_THREAD_SOLIDS(CAROM_THREAD_IS, );
template <int kind> constexpr bool is_cell = false CAROM_THREAD_CELLS(CAROM_THREAD_IS, );

// Least number of resident groups per multiprocessor, which limits the registers of a thread. More groups hide the latency of
// memory better, until too many registers are spilled. The values are the fastest ones measured on an H200.
constexpr int groups_at_once(int kind, int law, bool watches) {
    if (law == CAROM_KERNEL_FLOW)
        return 1;
    switch (kind) {
    case CAROM_THREAD_TET4: return watches ? 7 : 9;
    case CAROM_THREAD_HEX8: return watches ? 1 : 3;
    case CAROM_THREAD_HEX8_ONE_POINT: return 4;
    case CAROM_THREAD_SHELL: return law == 1 ? (watches ? 5 : 6) : (watches ? 3 : 4); // with one point, with three
    default: return 1;
    }
}

// The larger of two scores; of equals the first element.
__device__ __forceinline__ void take_better(double score, int element, double &best, int &of) {
    if (score > best || (score == best && element < of)) {
        best = score;
        of = element;
    }
}

// The largest scores of a group of threads. In most cases none exceeds what has been recorded.
__device__ void report_best(const carom_thread_block &b, const carom_thread_call &call, int e, const carom_extremes &found) {
    __shared__ double scores[CAROM_GROUP / 32];
    __shared__ int elements[CAROM_GROUP / 32];
    ptrdiff_t at = CAROM_EXTREME_KINDS * (ptrdiff_t)(b.first_group + blockIdx.x);
    bool any = false;
    for (int kind = 0; kind < CAROM_EXTREME_KINDS; kind++)
        any = any || found.score[kind] > CAROM_NO_SCORE;
    if (!__syncthreads_or(any)) {
        if (threadIdx.x < CAROM_EXTREME_KINDS)
            call.best[at + threadIdx.x] = CAROM_NO_SCORE;
        return;
    }
    if (threadIdx.x == 0)
        call.any[b.number] = 1;
    for (int kind = 0; kind < CAROM_EXTREME_KINDS; kind++) {
        double best = found.score[kind];
        int of = e;
        if (!__syncthreads_or(best > CAROM_NO_SCORE)) {
            if (threadIdx.x == 0)
                call.best[at + kind] = CAROM_NO_SCORE;
            continue;
        }
        for (int step = 16; step > 0; step /= 2) {
            double score = __shfl_xor_sync(0xffffffffu, best, step);
            int element = __shfl_xor_sync(0xffffffffu, of, step);
            take_better(score, element, best, of);
        }
        if (threadIdx.x % 32 == 0) {
            scores[threadIdx.x / 32] = best;
            elements[threadIdx.x / 32] = of;
        }
        __syncthreads();
        if (threadIdx.x == 0) {
            for (int w = 1; w < CAROM_GROUP / 32; w++)
                take_better(scores[w], elements[w], best, of);
            call.best[at + kind] = best;
            call.best_element[at + kind] = of;
        }
        __syncthreads();
    }
}

// Copies the forces of a group from shared memory to the slots. Three neighbouring threads write one force. Slots are read only
// once: streaming stores leave the cache to positions.
__device__ __forceinline__ void write_group(const carom_thread_block &b, const carom_thread_call &call, int begin, int entries,
                                            const double *common) {
    const carom_thread_group group = b.groups[blockIdx.x];
    const unsigned short *sources = b.sorted_source + begin;
    const int *sorted = b.sorted + group.output;
    for (int i = threadIdx.x; i < 3 * group.run_count; i += CAROM_GROUP) {
        int r = i / 3, c = i - 3 * r;
        __stcs(&call.slots[3 * (ptrdiff_t)sorted[r] + c], carom_thread_begin_sum(&b, &call, &group, sources, r, c, common));
    }
    sorted += group.run_count;
    sources += group.joined;
    for (int i = threadIdx.x; i < 3 * (entries - group.joined); i += CAROM_GROUP) {
        int slot = i / 3, c = i - 3 * slot;
        __stcs(&call.slots[3 * (ptrdiff_t)sorted[slot] + c], common[carom_thread_source(sources[slot], c)]);
    }
}

// A group of threads collects the forces of its elements in shared memory, one column each, and writes them in the order of
// the slots.
template <int kind, int law, bool watches, int nodes>
__global__ void __launch_bounds__(CAROM_GROUP, groups_at_once(kind, law, watches))
    group(const carom_thread_block b, const carom_thread_call call) {
    __shared__ double common[3 * nodes * CAROM_COLUMN];
    int begin = blockIdx.x * CAROM_GROUP, e = begin + threadIdx.x;
    int count = b.count - begin < CAROM_GROUP ? b.count - begin : CAROM_GROUP;
    carom_extremes found = carom_thread_extremes(&b, &call);
    if (e < b.count) {
        carom_sink sink = {common + threadIdx.x, CAROM_COLUMN, NULL};
        work<kind, law, watches>(b, call, e, &found, sink);
    }
    if (compares<kind> && watches)
        report_best(b, call, e, found);
    __syncthreads();
    write_group(b, call, begin * nodes, nodes * count, common);
}

// Elements with any number of nodes write their forces directly to the slots.
template <int kind, int law, bool watches>
__global__ void __launch_bounds__(CAROM_GROUP) alone(const carom_thread_block b, const carom_thread_call call) {
    int e = blockIdx.x * CAROM_GROUP + threadIdx.x;
    carom_extremes found = carom_thread_extremes(&b, &call);
    if (e < b.count) {
        carom_sink sink = {call.slots, 1, b.target + (ptrdiff_t)e * b.node_count};
        work<kind, law, watches>(b, call, e, &found, sink);
    }
    if (compares<kind> && watches)
        report_best(b, call, e, found);
}

template <int kind, int nodes, int law, bool watches> void launch(const carom_thread_block *b, const carom_thread_call *call) {
    if constexpr (nodes > 0)
        group<kind, law, watches, nodes><<<groups_of(b->count), CAROM_GROUP, 0, stream_of(b)>>>(*b, *call);
    else
        alone<kind, law, watches><<<groups_of(b->count), CAROM_GROUP, 0, stream_of(b)>>>(*b, *call);
}

// `second` selects the kernels that compare stresses or, for plane elements, those of plane stress.
#define CAROM_LAUNCH_LAW(NAME, name, ...) \
    case CAROM_KERNEL_##NAME: launch<kind, nodes, CAROM_KERNEL_##NAME, second>(b, call); break;
template <int kind, int nodes, bool second> void launch_law(const carom_thread_block *b, const carom_thread_call *call) {
    switch (b->law) {
        CAROM_LAME_LAWS(CAROM_LAUNCH_LAW, )
    case CAROM_KERNEL_OPEN:
        if constexpr (is_cell<kind>)
            launch<kind, nodes, CAROM_KERNEL_OPEN, false>(b, call);
        break;
    default:
        if constexpr (has_points<kind>)
            launch<kind, nodes, CAROM_KERNEL_FLOW, false>(b, call);
        break;
    }
}
#undef CAROM_LAUNCH_LAW

template <int kind, int nodes> void launch_either(const carom_thread_block *b, const carom_thread_call *call, bool second) {
    if (second)
        launch_law<kind, nodes, true>(b, call);
    else
        launch_law<kind, nodes, false>(b, call);
}

// Elements of one law, with or without a comparison of stresses.
template <int kind, int nodes, int law> void launch_watched(const carom_thread_block *b, const carom_thread_call *call) {
    if (call->watches)
        launch<kind, nodes, law, true>(b, call);
    else
        launch<kind, nodes, law, false>(b, call);
}

// Weights of regular patches are the same in all models, and are stored in constant memory, which broadcasts to all threads.
void send_weights(const carom_thread_block *b) {
    static bool there[2];
    bool one = b->point_count == 1;
    if (there[one])
        return;
    holds(cudaMemcpyToSymbol(carom_thread_weights, b->table, b->point_count * sizeof *carom_thread_weights,
                             one ? 0 : sizeof *carom_thread_weights, cudaMemcpyDeviceToDevice));
    there[one] = true;
}

// Shells have one law; for regular patches the template parameter `law` is the number of quadrature points instead.
template <int kind, int nodes> void launch_shell(const carom_thread_block *b, const carom_thread_call *call) {
    if constexpr (nodes == 0) {
        launch_watched<kind, 0, 0>(b, call);
    } else {
        send_weights(b);
        if (b->point_count == 1)
            launch_watched<kind, nodes, 1>(b, call);
        else
            launch_watched<kind, nodes, 3>(b, call);
    }
}

#define CAROM_LAUNCH_BY_LAW(NAME, name, nodes, ...)                        \
    case CAROM_THREAD_##NAME:                                              \
        launch_either<CAROM_THREAD_##NAME, nodes>(b, call, call->watches); \
        break;
#define CAROM_LAUNCH_SHEET(NAME, name, nodes, ...)                           \
    case CAROM_THREAD_##NAME:                                                \
        launch_either<CAROM_THREAD_##NAME, nodes>(b, call, b->sheet.stress); \
        break;
#define CAROM_LAUNCH_SHELL(NAME, VARIANT, nodes, ...)      \
    case CAROM_THREAD_##NAME:                              \
        launch_shell<CAROM_THREAD_##NAME, nodes>(b, call); \
        break;
#define CAROM_LAUNCH_SINGLE(NAME, element, nodes, ...)         \
    case CAROM_THREAD_##NAME:                                  \
        launch<CAROM_THREAD_##NAME, nodes, 0, false>(b, call); \
        break;
#define CAROM_LAUNCH_POINTS(NAME, name, nodes, ...) \
    case CAROM_THREAD_##NAME##_POINTS: launch<CAROM_THREAD_##NAME##_POINTS, nodes, 0, false>(b, call); break;

void force(const carom_thread_block *b, const carom_thread_call *call) {
    if (b->count == 0)
        return;
    switch (b->kind) {
        CAROM_THREAD_BY_LAW(CAROM_LAUNCH_BY_LAW, )
        CAROM_THREAD_SHEETS(CAROM_LAUNCH_SHEET, )
        CAROM_THREAD_SHELLS(CAROM_LAUNCH_SHELL, )
        CAROM_THREAD_SINGLE(CAROM_LAUNCH_SINGLE, )
        CAROM_THREAD_FULL_SOLIDS(CAROM_LAUNCH_POINTS, )
    default: break;
    }
    holds(cudaGetLastError());
}
#undef CAROM_LAUNCH_BY_LAW
#undef CAROM_LAUNCH_SHEET
#undef CAROM_LAUNCH_SHELL
#undef CAROM_LAUNCH_SINGLE
#undef CAROM_LAUNCH_POINTS

__global__ void __launch_bounds__(CAROM_GROUP) disturb_elements(const carom_thread_block b, const carom_thread_damping d) {
    int e = blockIdx.x * CAROM_GROUP + threadIdx.x;
    if (e < b.count)
        carom_thread_disturb(&b, &d, e);
}

void disturb(const carom_thread_block *b, const carom_thread_damping *d) {
    if (b->count)
        disturb_elements<<<groups_of(b->count), CAROM_GROUP>>>(*b, *d);
    holds(cudaGetLastError());
}

__global__ void __launch_bounds__(CAROM_GROUP) damp_elements(const carom_thread_block b, const carom_thread_damping d) {
    int e = blockIdx.x * CAROM_GROUP + threadIdx.x;
    if (e < b.count)
        carom_thread_damp(&b, &d, e);
}

void damp(const carom_thread_block *b, const carom_thread_damping *d) {
    if (b->count)
        damp_elements<<<groups_of(b->count), CAROM_GROUP>>>(*b, *d);
    holds(cudaGetLastError());
}

// Threads that search the largest score of one kind in a block.
constexpr int TOP_THREADS = 1024;

__global__ void __launch_bounds__(TOP_THREADS)
    tops_of_blocks(const carom_thread_block *blocks, const carom_thread_call call, carom_thread_top *tops) {
    __shared__ double scores[TOP_THREADS / 32];
    __shared__ int elements[TOP_THREADS / 32];
    const carom_thread_block &b = blocks[blockIdx.x];
    carom_thread_top &top = tops[blockIdx.x];
    int kind = blockIdx.y;
    if (!call.any[blockIdx.x]) {
        if (threadIdx.x == 0)
            top.score[kind] = CAROM_NO_SCORE;
        return;
    }
    double best = CAROM_NO_SCORE;
    int of = INT_MAX, groups = (b.count + CAROM_GROUP - 1) / CAROM_GROUP;
    for (int g = threadIdx.x; g < groups; g += TOP_THREADS) {
        ptrdiff_t at = CAROM_EXTREME_KINDS * (ptrdiff_t)(b.first_group + g) + kind;
        take_better(call.best[at], call.best_element[at], best, of);
    }
    for (int step = 16; step > 0; step /= 2) {
        double score = __shfl_xor_sync(0xffffffffu, best, step);
        int element = __shfl_xor_sync(0xffffffffu, of, step);
        take_better(score, element, best, of);
    }
    if (threadIdx.x % 32 == 0) {
        scores[threadIdx.x / 32] = best;
        elements[threadIdx.x / 32] = of;
    }
    __syncthreads();
    for (int w = 0; w < TOP_THREADS / 32; w++)
        take_better(scores[w], elements[w], best, of);
    if (threadIdx.x == 0) {
        top.score[kind] = best;
        top.element[kind] = of;
    }
    if (best > CAROM_NO_SCORE && threadIdx.x < 3 * CAROM_TOP_NODES)
        top.x[kind][threadIdx.x] = carom_thread_top_place(&b, &call, of, threadIdx.x);
}

void find_tops(const carom_thread_block *blocks, int count, const carom_thread_call *call, carom_thread_top *tops) {
    if (count)
        tops_of_blocks<<<dim3(count, CAROM_EXTREME_KINDS), TOP_THREADS>>>(blocks, *call, tops);
    holds(cudaGetLastError());
}

template <int kind, int law>
__global__ void __launch_bounds__(CAROM_GROUP)
    store(const carom_thread_block b, const carom_thread_call call, double *energies) {
    int e = blockIdx.x * CAROM_GROUP + threadIdx.x;
    if (e < b.count)
        energies[e] = carom_thread_energy(&b, &call, e, kind, (carom_kernel_law)law);
}

#define CAROM_STORE_LAW(NAME, name, ...) \
    case CAROM_KERNEL_##NAME: store<kind, CAROM_KERNEL_##NAME><<<groups, CAROM_GROUP>>>(*b, *call, energies); break;
template <int kind> void launch_energy(const carom_thread_block *b, const carom_thread_call *call, double *energies) {
    int groups = groups_of(b->count);
    switch (b->law) {
        CAROM_LAME_LAWS(CAROM_STORE_LAW, )
    default: break;
    }
}
#undef CAROM_STORE_LAW

template <int kind, int nodes>
void launch_shell_energy(const carom_thread_block *b, const carom_thread_call *call, double *energies) {
    if (nodes)
        send_weights(b);
    store<kind, CAROM_KERNEL_ST_VENANT_KIRCHHOFF><<<groups_of(b->count), CAROM_GROUP>>>(*b, *call, energies);
}

#define CAROM_STORE_SOLID(NAME, ...)                           \
    case CAROM_THREAD_##NAME:                                  \
        launch_energy<CAROM_THREAD_##NAME>(b, call, energies); \
        break;
#define CAROM_STORE_SHELL(NAME, VARIANT, nodes, ...) \
    case CAROM_THREAD_##NAME: launch_shell_energy<CAROM_THREAD_##NAME, nodes>(b, call, energies); break;
void energy(const carom_thread_block *b, const carom_thread_call *call, double *energies) {
    if (b->count == 0)
        return;
    switch (b->kind) {
        CAROM_THREAD_SOLIDS(CAROM_STORE_SOLID, )
        CAROM_THREAD_SHELLS(CAROM_STORE_SHELL, )
    default: break;
    }
    holds(cudaGetLastError());
}
#undef CAROM_STORE_SOLID
#undef CAROM_STORE_SHELL

} // namespace
