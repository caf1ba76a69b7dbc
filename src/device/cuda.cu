// SPDX-License-Identifier: MIT
// Threads on a GPU by CUDA: an object of its own, which nothing else is linked with. Compiled with -fmad=false: every operation is
// rounded by itself, as on the processor.
#define CAROM_LANES_ONE
#include <cuda_runtime.h>
#include <stdio.h>

#include "device/backend.h"
#include "device/threads.h"

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
    snprintf(message, sizeof message, "%s", last == cudaSuccess ? "none is there" : cudaGetErrorString(last));
    return message;
}

void close_device() {
    cudaDeviceSynchronize();
}

const char *fault() {
    holds(cudaGetLastError());
    holds(cudaDeviceSynchronize());
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
__device__ __forceinline__ void work(const carom_thread_block &b, const carom_thread_call &call, int e,
                                     const carom_sink &sink) {
    const carom_kernel_law of = (carom_kernel_law)law;
    if (kind == CAROM_THREAD_TET4)
        carom_thread_tet4(&b, &call, e, of, watches, &sink);
    else if (kind == CAROM_THREAD_HEX8)
        carom_thread_hex8(&b, &call, e, of, watches, &sink);
    else if (kind == CAROM_THREAD_HEX8_ONE_POINT)
        carom_thread_hex8_one_point(&b, &call, e, of, watches, &sink);
    else if (kind == CAROM_THREAD_TRI3)
        carom_thread_plane(&b, &call, e, 3, of, watches, &sink);
    else if (kind == CAROM_THREAD_QUAD4)
        carom_thread_plane(&b, &call, e, 4, of, watches, &sink);
    else if (kind == CAROM_THREAD_BAR)
        carom_thread_bar(&b, &call, e, &sink);
    else if (kind == CAROM_THREAD_SHELL)
        carom_thread_shell(&b, &call, e, CAROM_SHELL_REGULAR, &sink);
    else if (kind == CAROM_THREAD_PATCH)
        carom_thread_patch(&b, &call, e, of, watches, &sink);
    else if (kind == CAROM_THREAD_SHELL_STORED)
        carom_thread_shell(&b, &call, e, CAROM_SHELL_STORED, &sink);
    else if (kind == CAROM_THREAD_SHELL_AFFINE)
        carom_thread_shell(&b, &call, e, CAROM_SHELL_AFFINE, &sink);
}

// A group of threads has the forces of its elements in common memory, one column each, and writes them in the order of the slots.
template <int kind, int law, bool watches, int nodes>
__global__ void __launch_bounds__(CAROM_GROUP) group(const carom_thread_block b, const carom_thread_call call) {
    __shared__ double common[3 * nodes * CAROM_GROUP];
    int begin = blockIdx.x * CAROM_GROUP, e = begin + threadIdx.x;
    int count = b.count - begin < CAROM_GROUP ? b.count - begin : CAROM_GROUP;
    if (e < b.count) {
        carom_sink sink = {common + threadIdx.x, CAROM_GROUP, NULL};
        work<kind, law, watches>(b, call, e, sink);
    }
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
    if (e >= b.count)
        return;
    carom_sink sink = {call.slots, 1, b.target + (ptrdiff_t)e * b.node_count};
    work<kind, law, watches>(b, call, e, sink);
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
    case CAROM_THREAD_SHELL_AFFINE: launch<CAROM_THREAD_SHELL_AFFINE, 0, 0, false>(b, call); break;
    default: break;
    }
    holds(cudaGetLastError());
}

__global__ void gather_nodes(const carom_thread_nodes n) {
    int k = blockIdx.x * CAROM_GROUP + threadIdx.x;
    if (k >= n.count)
        return;
    double f[3];
    carom_thread_gather(&n, k, f);
    for (int c = 0; c < 3; c++)
        n.force[3 * (ptrdiff_t)k + c] = f[c];
}

void gather(const carom_thread_nodes *n) {
    if (n->count)
        gather_nodes<<<groups_of(n->count), CAROM_GROUP>>>(*n);
    holds(cudaGetLastError());
}

// Bits of numbers that are not negative ascend as the numbers do: the largest has no order. What is not a number does not count.
__global__ void kick_nodes(const carom_thread_nodes n, double h, unsigned long long *most) {
    int k = blockIdx.x * CAROM_GROUP + threadIdx.x;
    double change = 0;
    if (k < n.count) {
        double f[3];
        carom_thread_gather(&n, k, f);
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

__global__ void spread_rows(int count, int width, const int *rows, const double *from, double *to) {
    int64_t i = blockIdx.x * (int64_t)CAROM_GROUP + threadIdx.x;
    if (i < (int64_t)count * width)
        to[(ptrdiff_t)width * rows[i / width] + i % width] = from[i];
}

void spread(int count, int width, const int *rows, const double *from, double *to) {
    int64_t groups = ((int64_t)count * width + CAROM_GROUP - 1) / CAROM_GROUP;
    if (groups)
        spread_rows<<<(unsigned)groups, CAROM_GROUP>>>(count, width, rows, from, to);
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
                               force,
                               gather,
                               kick,
                               drift,
                               spread};

} // namespace

extern "C" __attribute__((visibility("default"))) const carom_backend *carom_backend_cuda() {
    return &backend;
}
