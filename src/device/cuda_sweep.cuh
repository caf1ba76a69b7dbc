// SPDX-License-Identifier: MIT
// CUDA kernel for projected Gauss-Seidel sweeps over contacts, colour by colour: contacts of a colour have no moving node in
// common. One launch does all sweeps; its groups of threads synchronize after every colour. Included by cuda.cu.
//
// A colour has some hundreds to thousands of contacts, and takes the time of a few loads, a division and a barrier. The groups
// of a cluster synchronize five times as fast as those of a grid (0.2 against 1.0 us on an H200), so one cluster is used if the
// device supports clusters. Records do not change: those of the next colour are loaded before the barrier.
#include <cooperative_groups.h>

namespace {

constexpr int SWEEP_THREADS = 256, SWEEP_GROUPS = 16;
static_assert(CAROM_THREAD_PARTS * sizeof(uint4) == sizeof(carom_plain_contact), "a record has whole parts");

// The record and the impulses of a contact, in registers.
struct swept {
    union {
        carom_plain_contact one;
        uint4 part[CAROM_THREAD_PARTS];
    };
    double2 impulse[2];
};

__device__ __forceinline__ void fetch(const carom_thread_sweep &s, int i, swept &to) {
#pragma unroll
    for (int p = 0; p < CAROM_THREAD_PARTS; p++)
        to.part[p] = __ldg((const uint4 *)s.contacts + carom_thread_part_place(i, p));
    // no other thread writes these
    const double2 *impulse = (const double2 *)(s.impulses + 4 * (ptrdiff_t)i);
    to.impulse[0] = impulse[0];
    to.impulse[1] = impulse[1];
}

__device__ __forceinline__ bool relax(const carom_thread_sweep &s, int i, const swept &at) {
    double impulse[4] = {at.impulse[0].x, at.impulse[0].y, at.impulse[1].x, at.impulse[1].y};
    bool changed, moved = carom_thread_relax(&s, &at.one, impulse, &changed);
    double2 *to = (double2 *)(s.impulses + 4 * (ptrdiff_t)i);
    if (changed)
        to[0] = make_double2(impulse[0], impulse[1]);
    if (changed && at.one.friction > 0)
        to[1] = make_double2(impulse[2], impulse[3]);
    return moved;
}

__device__ __forceinline__ void apply(const carom_thread_sweep &s, int i) {
    swept at;
    fetch(s, i, at);
    const double impulse[4] = {at.impulse[0].x, at.impulse[0].y, at.impulse[1].x, at.impulse[1].y};
    carom_thread_apply(&s, &at.one, impulse);
}

template <bool CLUSTER> __device__ __forceinline__ void synchronize() {
#if __CUDA_ARCH__ >= 900
    if (CLUSTER) {
        cooperative_groups::this_cluster().sync();
        return;
    }
#endif
    cooperative_groups::this_grid().sync();
}

// Resets the velocities to their initial values.
template <bool CLUSTER> __device__ void restore_velocities(const carom_thread_sweep &s) {
    for (int i = blockIdx.x * SWEEP_THREADS + threadIdx.x; i < 2 * s.rows; i += gridDim.x * SWEEP_THREADS)
        __stcg((double2 *)s.v + i, ((const double2 *)s.start)[i]);
    synchronize<CLUSTER>();
}

// One sweep. On entry `next` is the record of this thread in the first colour; on return it has been loaded again for the next
// sweep. The warps of a colour are distributed over all groups.
template <bool CLUSTER> __device__ bool sweep_once(const carom_thread_sweep &s, int rank, int all, swept &next) {
    bool moved = false;
    for (int c = 0; c < s.colour_count; c++) {
        int end = s.colours[c + 1], i = s.colours[c] + rank, after = c + 1 < s.colour_count ? c + 1 : 0;
        swept at = next;
        if (i < end)
            moved = relax(s, i, at) || moved;
        if (s.colours[after] + rank < s.colours[after + 1] && s.colour_count > 1)
            fetch(s, s.colours[after] + rank, next);
        for (i += all; i < end; i += all) {
            fetch(s, i, at);
            moved = relax(s, i, at) || moved;
        }
        if (s.colour_count == 1 && s.colours[0] + rank < end)
            fetch(s, s.colours[0] + rank, next);
        synchronize<CLUSTER>();
    }
    int done = s.colours[s.colour_count];
    if (done == s.count)
        return moved;
    for (int i = done; i < s.count && rank == 0; i++) {
        swept at;
        fetch(s, i, at);
        moved = relax(s, i, at) || moved;
    }
    synchronize<CLUSTER>();
    return moved;
}

// Applies all impulses once, in the order of the sweeps.
template <bool CLUSTER> __device__ void apply_all(const carom_thread_sweep &s, int rank, int all) {
    for (int c = 0; c < s.colour_count; c++) {
        for (int i = s.colours[c] + rank; i < s.colours[c + 1]; i += all)
            apply(s, i);
        synchronize<CLUSTER>();
    }
    for (int i = s.colours[s.colour_count]; i < s.count && rank == 0; i++)
        apply(s, i);
}

// Three flags, used in rotation, record whether a sweep has changed a velocity: one is written and then read, the next one is
// cleared.
template <bool CLUSTER>
__global__ void __launch_bounds__(SWEEP_THREADS, 1) sweep_contacts(const __grid_constant__ carom_thread_sweep s) {
    int warp = threadIdx.x / 32 * gridDim.x + blockIdx.x, rank = 32 * warp + threadIdx.x % 32;
    int all = gridDim.x * SWEEP_THREADS;
    volatile int *notes = s.moved;
    swept next = {};
    restore_velocities<CLUSTER>(s);
    if (s.colours[0] + rank < s.colours[1])
        fetch(s, s.colours[0] + rank, next);
    for (int n = 0; n < s.most; n++) {
        if (rank == 0)
            notes[(n + 1) % 3] = 0;
        if (sweep_once<CLUSTER>(s, rank, all, next))
            notes[n % 3] = 1;
        synchronize<CLUSTER>();
        if (!notes[n % 3])
            break;
    }
    restore_velocities<CLUSTER>(s);
    apply_all<CLUSTER>(s, rank, all);
}

// True if groups of a cluster can synchronize: code for earlier devices lacks this, and a later device may run such code.
bool can_synchronize_cluster() {
    cudaFuncAttributes attributes;
    return cudaFuncGetAttributes(&attributes, sweep_contacts<true>) == cudaSuccess && attributes.ptxVersion >= 90;
}

// True if a cluster of SWEEP_GROUPS groups fits on the device.
bool has_cluster(cudaLaunchConfig_t *config, cudaLaunchAttribute *attribute) {
    static int clusters = -1;
    attribute->id = cudaLaunchAttributeClusterDimension;
    attribute->val.clusterDim.x = SWEEP_GROUPS;
    attribute->val.clusterDim.y = attribute->val.clusterDim.z = 1;
    config->attrs = attribute;
    config->numAttrs = 1;
    if (clusters < 0 &&
        (!can_synchronize_cluster() ||
         cudaFuncSetAttribute(sweep_contacts<true>, cudaFuncAttributeNonPortableClusterSizeAllowed, 1) != cudaSuccess ||
         cudaOccupancyMaxActiveClusters(&clusters, sweep_contacts<true>, config) != cudaSuccess)) {
        cudaGetLastError(); // a failure means none
        clusters = 0;
    }
    return clusters > 0;
}

// Number of groups of a grid, which must all run at the same time to synchronize: the registers of a multiprocessor are enough
// for one group, and small devices, or partitions of large ones, may have fewer multiprocessors than SWEEP_GROUPS.
int groups_of_grid() {
    int each = 0;
    if (cudaOccupancyMaxActiveBlocksPerMultiprocessor(&each, sweep_contacts<false>, SWEEP_THREADS, 0) != cudaSuccess)
        cudaGetLastError(); // one group always runs
    int all = each * processors;
    return all < 1 ? 1 : all < SWEEP_GROUPS ? all : SWEEP_GROUPS;
}

void sweep(const carom_thread_sweep *s) {
    cudaLaunchConfig_t config = {};
    cudaLaunchAttribute attribute[1];
    config.gridDim = SWEEP_GROUPS;
    config.blockDim = SWEEP_THREADS;
    holds(cudaMemsetAsync(s->impulses, 0, 4 * (size_t)s->count * sizeof *s->impulses, 0));
    if (has_cluster(&config, attribute)) {
        holds(cudaLaunchKernelEx(&config, sweep_contacts<true>, *s));
        return;
    }
    attribute->id = cudaLaunchAttributeCooperative;
    attribute->val.cooperative = 1;
    config.gridDim = groups_of_grid();
    holds(cudaLaunchKernelEx(&config, sweep_contacts<false>, *s));
}

} // namespace
