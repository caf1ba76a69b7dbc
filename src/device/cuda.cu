// SPDX-License-Identifier: MIT
// Threads on a GPU by CUDA: an object of its own, which nothing else is linked with. Compiled with -fmad=false: every operation is
// rounded by itself, as on the processor.
#define CAROM_LANES_ONE
#include <cuda_runtime.h>
#include <limits.h>
#include <stdio.h>

#include "device/backend.h"
#include "device/threads.h"
#include "device/threads_damping.h"

namespace {

cudaError_t last = cudaSuccess;
char message[256];

// The first failure stays; whatever follows it fails as well.
bool holds(cudaError_t result) {
    if (last == cudaSuccess)
        last = result;
    return result == cudaSuccess;
}

const char *open_device(char *name, size_t size, size_t *memory) {
    int count = 0;
    cudaDeviceProp properties;
    last = cudaGetDeviceCount(&count);
    if (last == cudaSuccess && count > 0)
        last = cudaSetDevice(0);
    if (last == cudaSuccess && count > 0)
        last = cudaGetDeviceProperties(&properties, 0);
    if (last == cudaSuccess && count > 0) {
        size_t total;
        last = cudaMemGetInfo(memory, &total);
    }
    if (last == cudaSuccess && count > 0) {
        snprintf(name, size, "%s", properties.name);
        return NULL;
    }
    const char *why = last == cudaSuccess || last == cudaErrorNoDevice ? "there is none"
                      : last == cudaErrorInsufficientDriver            ? "there is no driver of CUDA, or it is too old"
                                                                       : cudaGetErrorString(last);
    snprintf(message, sizeof message, "%s", why);
    return message;
}

void close_device() {
    cudaDeviceSynchronize();
}

const char *fault() {
    holds(cudaGetLastError());
    return last == cudaSuccess ? NULL : cudaGetErrorString(last);
}

void *allocate(size_t bytes) {
    void *memory = NULL;
    if (cudaMalloc(&memory, bytes ? bytes : 1) != cudaSuccess) {
        cudaGetLastError(); // told by NULL
        return NULL;
    }
    holds(cudaMemset(memory, 0, bytes ? bytes : 1));
    return memory;
}

void release(void *memory) {
    cudaFree(memory);
}

// Memory that cannot be pinned is copied all the same.
void pin(void *host, size_t bytes) {
    if (cudaHostRegister(host, bytes, cudaHostRegisterDefault) != cudaSuccess)
        cudaGetLastError();
}

void unpin(void *host) {
    if (cudaHostUnregister(host) != cudaSuccess)
        cudaGetLastError();
}

void put(void *to, const void *from, size_t bytes) {
    if (bytes)
        holds(cudaMemcpyAsync(to, from, bytes, cudaMemcpyHostToDevice, 0));
}

void get(void *to, const void *from, size_t bytes) {
    if (bytes)
        holds(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToHost, 0));
}

void clear(void *memory, size_t bytes) {
    holds(cudaMemsetAsync(memory, 0, bytes, 0));
}

void wait() {
    holds(cudaStreamSynchronize(0));
}

// One thread; kind, law and whether it watches are constants.
template <int kind, int law, bool watches>
__device__ __forceinline__ void work(const carom_thread_block &b, const carom_thread_call &call, int e, carom_extremes *found,
                                     const carom_sink &sink) {
    const carom_kernel_law of = (carom_kernel_law)law;
    carom_extremes *extremes = watches ? found : NULL;
    if (kind == CAROM_THREAD_TET4)
        carom_thread_tet4(&b, &call, e, of, extremes, &sink);
    else if (kind == CAROM_THREAD_HEX8)
        carom_thread_hex8(&b, &call, e, of, extremes, &sink);
    else if (kind == CAROM_THREAD_HEX8_ONE_POINT)
        carom_thread_hex8_one_point(&b, &call, e, of, extremes, &sink);
    else if (kind == CAROM_THREAD_TRI3)
        carom_thread_plane(&b, &call, e, 3, of, watches, &sink);
    else if (kind == CAROM_THREAD_QUAD4)
        carom_thread_plane(&b, &call, e, 4, of, watches, &sink);
    else if (kind == CAROM_THREAD_BAR)
        carom_thread_bar(&b, &call, e, &sink);
    else if (kind == CAROM_THREAD_SHELL)
        carom_thread_shell(&b, &call, e, CAROM_SHELL_REGULAR, &sink);
    else if (kind == CAROM_THREAD_PATCH)
        carom_thread_patch(&b, &call, e, of, extremes, &sink);
    else if (kind == CAROM_THREAD_SHELL_STORED)
        carom_thread_shell(&b, &call, e, CAROM_SHELL_STORED, &sink);
    else if (kind == CAROM_THREAD_HEX8_DILATED)
        carom_thread_dilated(&b, &call, e, &sink);
    else if (kind == CAROM_THREAD_TET4_VOLUME)
        carom_thread_tet4_volume(&b, &call, e, &sink);
    else if (kind == CAROM_THREAD_TET4_POINTS)
        carom_thread_points(&b, &call, e, 4, &sink);
    else if (kind == CAROM_THREAD_HEX8_POINTS)
        carom_thread_points(&b, &call, e, 8, &sink);
    else if (kind == CAROM_THREAD_PATCH_POINT)
        carom_thread_patch_point(&b, &call, e, &sink);
    else if (kind == CAROM_THREAD_VOLUME)
        carom_thread_volume(&b, &call, e, &sink);
    else if (kind == CAROM_THREAD_SHELL_AFFINE)
        carom_thread_shell(&b, &call, e, CAROM_SHELL_AFFINE, &sink);
}

// Plane elements have no kernels that watch: there the choice is plane stress.
template <int kind>
constexpr bool compares =
    kind == CAROM_THREAD_TET4 || kind == CAROM_THREAD_HEX8 || kind == CAROM_THREAD_HEX8_ONE_POINT || kind == CAROM_THREAD_PATCH;

// Kernels of laws with history.
template <int kind>
constexpr bool has_points = kind == CAROM_THREAD_TET4 || kind == CAROM_THREAD_HEX8 || kind == CAROM_THREAD_HEX8_ONE_POINT;

// Groups that a multiprocessor shall have room for: tetrahedra wait for memory, and more of them at once hide that.
template <int kind, int law, bool watches>
constexpr int groups_at_once = kind == CAROM_THREAD_TET4 && law != CAROM_KERNEL_FLOW && !watches ? 8 : 1;

// The better of two scores; of equals the first element.
__device__ __forceinline__ void take_better(double score, int element, double &best, int &of) {
    if (score > best || (score == best && element < of)) {
        best = score;
        of = element;
    }
}

// The best scores of a group of threads. Hardly ever is there any.
__device__ void tell_best(const carom_thread_block &b, const carom_thread_call &call, int e, const carom_extremes &found) {
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

// A group of threads has the forces of its elements in common memory, one column each, and writes them in the order of the slots.
template <int kind, int law, bool watches, int nodes>
__global__ void __launch_bounds__(CAROM_GROUP, groups_at_once<kind, law, watches>)
    group(const carom_thread_block b, const carom_thread_call call) {
    __shared__ double common[3 * nodes * CAROM_GROUP];
    int begin = blockIdx.x * CAROM_GROUP, e = begin + threadIdx.x;
    int count = b.count - begin < CAROM_GROUP ? b.count - begin : CAROM_GROUP;
    carom_extremes found = carom_thread_extremes(&b, &call);
    if (e < b.count) {
        carom_sink sink = {common + threadIdx.x, CAROM_GROUP, NULL};
        work<kind, law, watches>(b, call, e, &found, sink);
    }
    if (compares<kind> && watches)
        tell_best(b, call, e, found);
    __syncthreads();
    const int *sorted = b.sorted + (ptrdiff_t)begin * nodes;
    const unsigned short *source = b.sorted_source + (ptrdiff_t)begin * nodes;
    // three neighbouring threads write one force
    for (int i = threadIdx.x; i < 3 * nodes * count; i += CAROM_GROUP) {
        int slot = i / 3, c = i - 3 * slot, from = source[slot];
        call.slots[3 * (ptrdiff_t)sorted[slot] + c] = common[(3 * (from / CAROM_GROUP) + c) * CAROM_GROUP + from % CAROM_GROUP];
    }
}

// Elements of any number of nodes write by themselves.
template <int kind, int law, bool watches>
__global__ void __launch_bounds__(CAROM_GROUP) alone(const carom_thread_block b, const carom_thread_call call) {
    int e = blockIdx.x * CAROM_GROUP + threadIdx.x;
    carom_extremes found = carom_thread_extremes(&b, &call);
    if (e < b.count) {
        carom_sink sink = {call.slots, 1, b.target + (ptrdiff_t)e * b.node_count};
        work<kind, law, watches>(b, call, e, &found, sink);
    }
    if (compares<kind> && watches)
        tell_best(b, call, e, found);
}

int groups_of(int count) {
    return (count + CAROM_GROUP - 1) / CAROM_GROUP;
}

template <int kind, int nodes, int law, bool watches> void launch(const carom_thread_block *b, const carom_thread_call *call) {
    if constexpr (kind < CAROM_THREAD_PATCH)
        group<kind, law, watches, nodes><<<groups_of(b->count), CAROM_GROUP>>>(*b, *call);
    else
        alone<kind, law, watches><<<groups_of(b->count), CAROM_GROUP>>>(*b, *call);
}

// The second choice is whether threads watch, or plane stress.
template <int kind, int nodes, bool second> void launch_law(const carom_thread_block *b, const carom_thread_call *call) {
    switch (b->law) {
    case CAROM_KERNEL_LINEAR: launch<kind, nodes, CAROM_KERNEL_LINEAR, second>(b, call); break;
    case CAROM_KERNEL_ST_VENANT_KIRCHHOFF: launch<kind, nodes, CAROM_KERNEL_ST_VENANT_KIRCHHOFF, second>(b, call); break;
    case CAROM_KERNEL_OPEN:
        if constexpr (kind == CAROM_THREAD_TET4 || kind == CAROM_THREAD_HEX8)
            launch<kind, nodes, CAROM_KERNEL_OPEN, false>(b, call);
        break;
    case CAROM_KERNEL_FLOW:
        if constexpr (has_points<kind>)
            launch<kind, nodes, CAROM_KERNEL_FLOW, false>(b, call);
        break;
    default: launch<kind, nodes, CAROM_KERNEL_NEO_HOOKEAN, second>(b, call); break;
    }
}

template <int kind, int nodes> void launch_either(const carom_thread_block *b, const carom_thread_call *call, bool second) {
    if (second)
        launch_law<kind, nodes, true>(b, call);
    else
        launch_law<kind, nodes, false>(b, call);
}

void force(const carom_thread_block *b, const carom_thread_call *call) {
    if (b->count == 0)
        return;
    switch (b->kind) {
    case CAROM_THREAD_TET4: launch_either<CAROM_THREAD_TET4, 4>(b, call, call->watches); break;
    case CAROM_THREAD_HEX8: launch_either<CAROM_THREAD_HEX8, 8>(b, call, call->watches); break;
    case CAROM_THREAD_HEX8_ONE_POINT: launch_either<CAROM_THREAD_HEX8_ONE_POINT, 8>(b, call, call->watches); break;
    case CAROM_THREAD_TRI3: launch_either<CAROM_THREAD_TRI3, 3>(b, call, b->sheet.stress); break;
    case CAROM_THREAD_QUAD4: launch_either<CAROM_THREAD_QUAD4, 4>(b, call, b->sheet.stress); break;
    case CAROM_THREAD_BAR: launch<CAROM_THREAD_BAR, 2, 0, false>(b, call); break;
    case CAROM_THREAD_SHELL: launch<CAROM_THREAD_SHELL, 12, 0, false>(b, call); break;
    case CAROM_THREAD_PATCH: launch_either<CAROM_THREAD_PATCH, 0>(b, call, call->watches); break;
    case CAROM_THREAD_SHELL_STORED: launch<CAROM_THREAD_SHELL_STORED, 0, 0, false>(b, call); break;
    case CAROM_THREAD_HEX8_DILATED: launch<CAROM_THREAD_HEX8_DILATED, 8, 0, false>(b, call); break;
    case CAROM_THREAD_TET4_VOLUME: launch<CAROM_THREAD_TET4_VOLUME, 4, 0, false>(b, call); break;
    case CAROM_THREAD_TET4_POINTS: launch<CAROM_THREAD_TET4_POINTS, 4, 0, false>(b, call); break;
    case CAROM_THREAD_HEX8_POINTS: launch<CAROM_THREAD_HEX8_POINTS, 8, 0, false>(b, call); break;
    case CAROM_THREAD_PATCH_POINT: launch<CAROM_THREAD_PATCH_POINT, 0, 0, false>(b, call); break;
    case CAROM_THREAD_VOLUME: launch<CAROM_THREAD_VOLUME, 0, 0, false>(b, call); break;
    case CAROM_THREAD_SHELL_AFFINE: launch<CAROM_THREAD_SHELL_AFFINE, 0, 0, false>(b, call); break;
    default: break;
    }
    holds(cudaGetLastError());
}

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

// Threads that look for the best of a block, of one kind.
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

template <int kind> void launch_energy(const carom_thread_block *b, const carom_thread_call *call, double *energies) {
    int groups = groups_of(b->count);
    switch (b->law) {
    case CAROM_KERNEL_LINEAR: store<kind, CAROM_KERNEL_LINEAR><<<groups, CAROM_GROUP>>>(*b, *call, energies); break;
    case CAROM_KERNEL_ST_VENANT_KIRCHHOFF:
        store<kind, CAROM_KERNEL_ST_VENANT_KIRCHHOFF><<<groups, CAROM_GROUP>>>(*b, *call, energies);
        break;
    default: store<kind, CAROM_KERNEL_NEO_HOOKEAN><<<groups, CAROM_GROUP>>>(*b, *call, energies); break;
    }
}

void energy(const carom_thread_block *b, const carom_thread_call *call, double *energies) {
    if (b->count == 0)
        return;
    switch (b->kind) {
    case CAROM_THREAD_TET4: launch_energy<CAROM_THREAD_TET4>(b, call, energies); break;
    case CAROM_THREAD_HEX8: launch_energy<CAROM_THREAD_HEX8>(b, call, energies); break;
    default: launch_energy<CAROM_THREAD_HEX8_ONE_POINT>(b, call, energies); break;
    }
    holds(cudaGetLastError());
}

// Slots that a group of nodes has in common memory at a time.
constexpr int TILE = 1024;

// The sum at the node of each thread, as carom_thread_gather: the slots of neighbouring nodes are neighbours, and are fetched
// together. Each node adds its own in ascending order. All threads of the group come here.
__device__ __forceinline__ void gather_group(const carom_thread_nodes &n, int k, double f[3]) {
    __shared__ double tile[3 * TILE];
    int begin = blockIdx.x * CAROM_GROUP, end = begin + CAROM_GROUP < n.count ? begin + CAROM_GROUP : n.count;
    int first = n.gather_begin[begin], last = n.gather_begin[end];
    int own = k < n.count ? n.gather_begin[k] : last, own_end = k < n.count ? n.gather_begin[k + 1] : last;
    for (int c = 0; c < 3; c++)
        f[c] = n.load && k < n.count ? n.load[3 * (ptrdiff_t)k + c] : 0;
    for (int t = first; t < last; t += TILE) {
        int count = last - t < TILE ? last - t : TILE;
        for (int i = threadIdx.x; i < 3 * count; i += CAROM_GROUP)
            tile[i] = n.slots[3 * (ptrdiff_t)t + i];
        __syncthreads();
        int from = own > t ? own : t, to = own_end < t + count ? own_end : t + count;
        for (int i = from; i < to; i++)
            for (int c = 0; c < 3; c++)
                f[c] += tile[3 * (i - t) + c];
        __syncthreads();
    }
}

__global__ void __launch_bounds__(CAROM_GROUP) gather_nodes(const carom_thread_nodes n) {
    int k = blockIdx.x * CAROM_GROUP + threadIdx.x;
    double f[3];
    gather_group(n, k, f);
    for (int c = 0; c < 3 && k < n.count; c++)
        n.force[3 * (ptrdiff_t)k + c] = f[c];
}

void gather(const carom_thread_nodes *n) {
    if (n->count)
        gather_nodes<<<groups_of(n->count), CAROM_GROUP>>>(*n);
    holds(cudaGetLastError());
}

// Bits of numbers that are not negative ascend as the numbers do: the largest has no order. What is not a number does not count.
__global__ void __launch_bounds__(CAROM_GROUP) kick_nodes(const carom_thread_nodes n, double h, unsigned long long *most) {
    int k = blockIdx.x * CAROM_GROUP + threadIdx.x;
    double change = 0, f[3];
    gather_group(n, k, f);
    if (k < n.count) {
        change = carom_thread_kick(&n, k, h, f);
        if (n.force)
            for (int c = 0; c < 3; c++)
                n.force[3 * (ptrdiff_t)k + c] = f[c];
    }
    unsigned long long bits = change > 0 ? (unsigned long long)__double_as_longlong(change) : 0;
    for (int step = 16; step > 0; step /= 2) {
        unsigned long long other = __shfl_xor_sync(0xffffffffu, bits, step);
        bits = other > bits ? other : bits;
    }
    if (threadIdx.x % 32 == 0 && bits)
        atomicMax(most, bits);
}

void kick(const carom_thread_nodes *n, double h, double *most) {
    clear(most, sizeof *most);
    if (n->count)
        kick_nodes<<<groups_of(n->count), CAROM_GROUP>>>(*n, h, (unsigned long long *)most);
    holds(cudaGetLastError());
}

__global__ void drift_nodes(const carom_thread_nodes n, double h) {
    int k = blockIdx.x * CAROM_GROUP + threadIdx.x;
    if (k < n.count)
        carom_thread_drift(&n, k, h);
}

void drift(const carom_thread_nodes *n, double h) {
    if (n->count)
        drift_nodes<<<groups_of(n->count), CAROM_GROUP>>>(*n, h);
    holds(cudaGetLastError());
}

constexpr unsigned ALL_LANES = 0xffffffffu;

// Groups of threads that go through the nodes in turn: each brings its sums to those of the device once.
constexpr int GROUPS_OF_SUMS = 1056;

int groups_in_turn(int count) {
    return groups_of(count) < GROUPS_OF_SUMS ? groups_of(count) : GROUPS_OF_SUMS;
}

// Adds the terms of a warp to a sum in common memory. All of its threads come here. Terms mostly have the same digits, and are
// then added up before one thread brings them; integers have no order.
__device__ void add_terms(double term, long long *digits, unsigned *special) {
    int64_t digit[3] = {0, 0, 0};
    int d = carom_exact_cut(carom_thread_bits(term), digit);
    if (d < -1)
        atomicOr(special, (unsigned)(-2 - d));
    unsigned with = __ballot_sync(ALL_LANES, d >= 0);
    if (with == 0)
        return;
    int first = __shfl_sync(ALL_LANES, d, __ffs((int)with) - 1);
    if (__all_sync(ALL_LANES, d < 0 || d == first)) {
        for (int i = 0; i < 3; i++) {
            long long sum = d >= 0 ? (long long)digit[i] : 0;
            for (int step = 16; step > 0; step /= 2)
                sum += __shfl_xor_sync(ALL_LANES, sum, step);
            if (threadIdx.x % 32 == 0 && sum)
                atomicAdd((unsigned long long *)&digits[first + i], (unsigned long long)sum);
        }
    } else if (d >= 0) {
        for (int i = 0; i < 3; i++)
            if (digit[i])
                atomicAdd((unsigned long long *)&digits[d + i], (unsigned long long)digit[i]);
    }
}

// Empties sums in common memory, and brings them to those of the device.
__device__ void start_sums(int count, long long *digits, unsigned *special) {
    for (int i = threadIdx.x; i < count * CAROM_THREAD_DIGITS; i += CAROM_GROUP)
        digits[i] = 0;
    for (int i = threadIdx.x; i < count; i += CAROM_GROUP)
        special[i] = 0;
    __syncthreads();
}

__device__ void bring_sums(int count, const long long *digits, const unsigned *special, const carom_thread_sums &sums) {
    __syncthreads();
    for (int i = threadIdx.x; i < count * CAROM_THREAD_DIGITS; i += CAROM_GROUP)
        if (digits[i])
            atomicAdd((unsigned long long *)&sums.digits[i], (unsigned long long)digits[i]);
    for (int i = threadIdx.x; i < count; i += CAROM_GROUP)
        if (special[i])
            atomicOr(&sums.special[i], special[i]);
}

// The largest number of a warp, which is not negative, into memory of the device.
__device__ void tell_most(double value, double *most) {
    unsigned long long bits = value > 0 ? (unsigned long long)__double_as_longlong(value) : 0;
    for (int step = 16; step > 0; step /= 2) {
        unsigned long long other = __shfl_xor_sync(ALL_LANES, bits, step);
        bits = other > bits ? other : bits;
    }
    if (threadIdx.x % 32 == 0 && bits)
        atomicMax((unsigned long long *)most, bits);
}

__global__ void __launch_bounds__(CAROM_GROUP) push_nodes(const carom_thread_nodes n, const carom_thread_push push) {
    constexpr int SUMS = CAROM_THREAD_KICK_SUMS + CAROM_THREAD_MOTION_SUMS, MOTION = CAROM_THREAD_KICK_SUMS;
    __shared__ long long digits[SUMS * CAROM_THREAD_DIGITS];
    __shared__ unsigned special[SUMS];
    bool sums = n.load || n.damping;
    double most = 0, fastest = 0;
    start_sums(SUMS, digits, special);
    for (int begin = blockIdx.x * CAROM_GROUP; begin < n.count; begin += gridDim.x * CAROM_GROUP) {
        int k = begin + threadIdx.x;
        bool acts = k < n.count && !n.held[k];
        double terms[2][CAROM_THREAD_KICK_SUMS];
        for (int a = 0; a < CAROM_THREAD_KICK_SUMS; a++)
            terms[0][a] = terms[1][a] = 0;
        double motion[CAROM_THREAD_MOTION_SUMS] = {0, 0};
        if (acts) {
            double change = carom_thread_push_node(&n, &push, k);
            double square = carom_terms_dot(n.w + 3 * (ptrdiff_t)k, n.w + 3 * (ptrdiff_t)k);
            most = change > most ? change : most;
            fastest = square > fastest ? square : fastest;
            if (!carom_thread_settle_node(&n, push.after, k, n.v_next, motion))
                push.told->stray = 1;
            if (sums)
                carom_thread_kick_terms(&n, push.h, k, terms);
        }
        add_terms(motion[0], digits + MOTION * CAROM_THREAD_DIGITS, special + MOTION);
        if (n.load)
            add_terms(motion[1], digits + (MOTION + 1) * CAROM_THREAD_DIGITS, special + MOTION + 1);
        for (int a = 0; n.load && a < CAROM_THREAD_KICK_SUMS; a++)
            add_terms(terms[0][a], digits + a * CAROM_THREAD_DIGITS, special + a);
        for (int a = 0; n.damping && a < CAROM_THREAD_KICK_SUMS; a++)
            add_terms(terms[1][a], digits + a * CAROM_THREAD_DIGITS, special + a);
    }
    tell_most(most, &push.told->most);
    tell_most(fastest, &push.told->fastest);
    bring_sums(SUMS, digits, special, push.sums);
}

void push(const carom_thread_nodes *n, const carom_thread_push *push) {
    if (n->count)
        push_nodes<<<groups_in_turn(n->count), CAROM_GROUP>>>(*n, *push);
    holds(cudaGetLastError());
}

__global__ void __launch_bounds__(CAROM_GROUP)
    settle_nodes(const carom_thread_nodes n, double after, const carom_thread_sums sums, carom_thread_told *told) {
    __shared__ long long digits[CAROM_THREAD_MOTION_SUMS * CAROM_THREAD_DIGITS];
    __shared__ unsigned special[CAROM_THREAD_MOTION_SUMS];
    start_sums(CAROM_THREAD_MOTION_SUMS, digits, special);
    for (int begin = blockIdx.x * CAROM_GROUP; begin < n.count; begin += gridDim.x * CAROM_GROUP) {
        int k = begin + threadIdx.x;
        double terms[CAROM_THREAD_MOTION_SUMS] = {0, 0};
        if (k < n.count && !n.held[k] && !carom_thread_settle_node(&n, after, k, n.v, terms))
            told->stray = 1;
        add_terms(terms[0], digits, special);
        if (n.load)
            add_terms(terms[1], digits + CAROM_THREAD_DIGITS, special + 1);
    }
    bring_sums(CAROM_THREAD_MOTION_SUMS, digits, special, sums);
}

void settle(const carom_thread_nodes *n, double after, carom_thread_sums sums, carom_thread_told *told) {
    if (n->count)
        settle_nodes<<<groups_in_turn(n->count), CAROM_GROUP>>>(*n, after, sums, told);
    holds(cudaGetLastError());
}

__global__ void __launch_bounds__(CAROM_GROUP)
    sum_columns(const double *table, int rows, int columns, const carom_thread_sums sums) {
    __shared__ long long digits[CAROM_THREAD_KICK_SUMS * CAROM_THREAD_DIGITS];
    __shared__ unsigned special[CAROM_THREAD_KICK_SUMS];
    start_sums(columns, digits, special);
    for (int begin = blockIdx.x * CAROM_GROUP; begin < rows; begin += gridDim.x * CAROM_GROUP) {
        int row = begin + threadIdx.x;
        for (int a = 0; a < columns; a++)
            add_terms(row < rows ? table[(ptrdiff_t)row * columns + a] : 0, digits + a * CAROM_THREAD_DIGITS, special + a);
    }
    bring_sums(columns, digits, special, sums);
}

void sum(const double *table, int rows, int columns, carom_thread_sums sums) {
    if (rows)
        sum_columns<<<groups_in_turn(rows), CAROM_GROUP>>>(table, rows, columns, sums);
    holds(cudaGetLastError());
}

// A thread that finds something tells it: whoever writes last writes the same.
__global__ void __launch_bounds__(CAROM_GROUP) look_at_elements(const carom_thread_block b, const carom_thread_look look) {
    int e = blockIdx.x * CAROM_GROUP + threadIdx.x;
    if (e < b.count && carom_thread_look_at(&b, &look, e))
        *look.wrong = 1;
}

void look(const carom_thread_block *b, const carom_thread_look *look) {
    if (b->count)
        look_at_elements<<<groups_of(b->count), CAROM_GROUP>>>(*b, *look);
    holds(cudaGetLastError());
}

__global__ void look_at_planes(const carom_thread_nodes n, const carom_thread_planes planes) {
    int k = blockIdx.x * CAROM_GROUP + threadIdx.x;
    if (k < n.count && carom_thread_is_behind(&n, &planes, k))
        *planes.wrong = 1;
}

void look_behind(const carom_thread_nodes *n, const carom_thread_planes *planes) {
    if (n->count)
        look_at_planes<<<groups_of(n->count), CAROM_GROUP>>>(*n, *planes);
    holds(cudaGetLastError());
}

void copy(void *to, const void *from, size_t bytes) {
    if (bytes)
        holds(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToDevice, 0));
}

__global__ void judge_numbers(const double *numbers, size_t count, double most, int *wrong) {
    for (size_t i = (size_t)blockIdx.x * CAROM_GROUP + threadIdx.x; i < count; i += (size_t)gridDim.x * CAROM_GROUP)
        if (!(numbers[i] < most && -numbers[i] < most))
            *wrong = 1;
}

void judge(const double *numbers, size_t count, double most, int *wrong) {
    if (count)
        judge_numbers<<<GROUPS_OF_SUMS, CAROM_GROUP>>>(numbers, count, most, wrong);
    holds(cudaGetLastError());
}

__global__ void find_pushed_nodes(const carom_thread_nodes n, const carom_thread_pushed pushed) {
    int k = blockIdx.x * CAROM_GROUP + threadIdx.x;
    double square;
    if (k < n.count && !n.held[k] && carom_thread_is_pushed(&n, &pushed, k, &square)) {
        carom_thread_pushed_node *found = &pushed.found[atomicAdd(pushed.count, 1)];
        found->square = square;
        found->node = k;
    }
}

void find_pushed(const carom_thread_nodes *n, const carom_thread_pushed *pushed) {
    if (n->count)
        find_pushed_nodes<<<groups_of(n->count), CAROM_GROUP>>>(*n, *pushed);
    holds(cudaGetLastError());
}

__global__ void pack_nodes(const double *from, const int *list, int count, double *to) {
    int i = blockIdx.x * CAROM_GROUP + threadIdx.x;
    for (int c = 0; c < 3 && i < count; c++)
        to[3 * (ptrdiff_t)i + c] = from[3 * (ptrdiff_t)list[i] + c];
}

void pack(const double *from, const int *list, int count, double *to) {
    if (count)
        pack_nodes<<<groups_of(count), CAROM_GROUP>>>(from, list, count, to);
    holds(cudaGetLastError());
}

__global__ void unpack_nodes(const double *from, const int *list, int count, double *to) {
    int i = blockIdx.x * CAROM_GROUP + threadIdx.x;
    for (int c = 0; c < 3 && i < count; c++)
        to[3 * (ptrdiff_t)list[i] + c] = from[3 * (ptrdiff_t)i + c];
}

void unpack(const double *from, const int *list, int count, double *to) {
    if (count)
        unpack_nodes<<<groups_of(count), CAROM_GROUP>>>(from, list, count, to);
    holds(cudaGetLastError());
}

__global__ void place_numbers(const double *from, const int *list, int count, double *to) {
    int i = blockIdx.x * CAROM_GROUP + threadIdx.x;
    if (i < count)
        to[list[i]] = from[i];
}

void place(const double *from, const int *list, int count, double *to) {
    if (count)
        place_numbers<<<groups_of(count), CAROM_GROUP>>>(from, list, count, to);
    holds(cudaGetLastError());
}

const carom_backend backend = {CAROM_BACKEND_VERSION,
                               open_device,
                               close_device,
                               fault,
                               allocate,
                               release,
                               pin,
                               unpin,
                               put,
                               get,
                               clear,
                               wait,
                               disturb,
                               damp,
                               energy,
                               force,
                               find_tops,
                               gather,
                               kick,
                               drift,
                               push,
                               settle,
                               sum,
                               look,
                               look_behind,
                               copy,
                               judge,
                               find_pushed,
                               pack,
                               unpack,
                               place};

} // namespace

extern "C" __attribute__((visibility("default"))) const carom_backend *carom_backend_cuda() {
    return &backend;
}
