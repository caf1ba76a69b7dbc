// SPDX-License-Identifier: MIT
// The functions of a device (backend.h) for GPUs by CUDA: a separate shared object, which is loaded at run time. Compiled with
// -fmad=false: every operation is rounded separately, as on the processor. Includes the kernels of elements and nodes (*.cuh).
#define CAROM_LANES_ONE
#include <cuda_runtime.h>
#include <limits.h>
#include <stdio.h>

#include "device/backend.h"
#include "device/threads.h"
#include "device/threads_bound.h"
#include "device/threads_damping.h"
#include "device/threads_sweep.h"

namespace {

cudaError_t last = cudaSuccess;
char message[256];

// Keeps the first failure.
bool holds(cudaError_t result) {
    if (last == cudaSuccess)
        last = result;
    return result == cudaSuccess;
}

// Number of groups of threads, with one thread per item.
int groups_of(int count) {
    return (count + CAROM_GROUP - 1) / CAROM_GROUP;
}

// Concurrent blocks run on several streams, small ones with priority. These are blocking streams: CUDA orders their work with
// respect to that of the default stream, on which everything else runs.
enum { STREAMS = 4 };
cudaStream_t streams[STREAMS];
int processors = 1;

void open_streams() {
    int least = 0, greatest = 0;
    cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, 0);
    cudaDeviceGetStreamPriorityRange(&least, &greatest);
    for (int i = 0; i < STREAMS; i++)
        if (!streams[i] && cudaStreamCreateWithPriority(&streams[i], cudaStreamDefault, i ? greatest : least) != cudaSuccess)
            streams[i] = NULL;
    cudaGetLastError(); // after a failure everything runs on the default stream
}

cudaStream_t stream_of(const carom_thread_block *b) {
    return !b->concurrent ? NULL : groups_of(b->count) > processors ? streams[0] : streams[1 + b->number % (STREAMS - 1)];
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
        open_streams();
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
        cudaGetLastError(); // reported by NULL
        return NULL;
    }
    holds(cudaMemset(memory, 0, bytes ? bytes : 1));
    return memory;
}

void release(void *memory) {
    cudaFree(memory);
}

// Memory that cannot be pinned can be copied as well, more slowly.
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
    holds(cudaDeviceSynchronize());
}

} // namespace

#include "device/cuda_elements.cuh"
#include "device/cuda_bound.cuh"
#include "device/cuda_nodes.cuh"
#include "device/cuda_sweep.cuh"

namespace {

// All threads that find an element write the same value.
__global__ void __launch_bounds__(CAROM_GROUP) check_all_elements(const carom_thread_block b, const carom_thread_check check) {
    int e = blockIdx.x * CAROM_GROUP + threadIdx.x;
    if (e < b.count && carom_thread_check_at(&b, &check, e))
        *check.wrong = 1;
}

template <int kind>
__global__ void __launch_bounds__(CAROM_GROUP) check_shells(const carom_thread_block b, const carom_thread_check check) {
    int e = blockIdx.x * CAROM_GROUP + threadIdx.x;
    if (e < b.count && carom_thread_check_shell(&b, &check, e, kind))
        *check.wrong = 1;
}

#define CAROM_CHECK_SHELL(NAME, VARIANT, nodes, ...)                            \
    case CAROM_THREAD_##NAME:                                                   \
        if (nodes)                                                              \
            send_weights(b);                                                    \
        check_shells<CAROM_THREAD_##NAME><<<groups, CAROM_GROUP>>>(*b, *check); \
        break;
void check_elements(const carom_thread_block *b, const carom_thread_check *check) {
    int groups = groups_of(b->count);
    if (b->count == 0)
        return;
    switch (b->kind) {
        CAROM_THREAD_SHELLS(CAROM_CHECK_SHELL, )
    default: check_all_elements<<<groups, CAROM_GROUP>>>(*b, *check); break;
    }
    holds(cudaGetLastError());
}
#undef CAROM_CHECK_SHELL

__global__ void check_all_planes(const carom_thread_nodes n, const carom_thread_planes planes) {
    int k = blockIdx.x * CAROM_GROUP + threadIdx.x;
    if (k < n.count && carom_thread_is_behind(&n, &planes, k))
        *planes.wrong = 1;
}

void check_behind(const carom_thread_nodes *n, const carom_thread_planes *planes) {
    if (n->count)
        check_all_planes<<<groups_of(n->count), CAROM_GROUP>>>(*n, *planes);
    holds(cudaGetLastError());
}

void copy(void *to, const void *from, size_t bytes) {
    if (bytes)
        holds(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToDevice, 0));
}

__global__ void check_magnitudes(const double *numbers, size_t count, double most, int *wrong) {
    for (size_t i = (size_t)blockIdx.x * CAROM_GROUP + threadIdx.x; i < count; i += (size_t)gridDim.x * CAROM_GROUP)
        if (!(numbers[i] < most && -numbers[i] < most))
            *wrong = 1;
}

void check_magnitude(const double *numbers, size_t count, double most, int *wrong) {
    if (count)
        check_magnitudes<<<GROUPS_OF_SUMS, CAROM_GROUP>>>(numbers, count, most, wrong);
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
                               share,
                               frequency,
                               check_elements,
                               check_behind,
                               copy,
                               check_magnitude,
                               find_pushed,
                               pack,
                               unpack,
                               place,
                               sweep,
                               0};

} // namespace

extern "C" __attribute__((visibility("default"))) const carom_backend *carom_backend_cuda() {
    return &backend;
}
