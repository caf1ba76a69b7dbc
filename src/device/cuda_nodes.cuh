// SPDX-License-Identifier: MIT
// CUDA kernels for nodes: sums of the element forces in the slots of each node, kicks (changes of velocity) and drifts
// (changes of position), exact sums over nodes and tables. Included by cuda.cu.
namespace {

// Threads of a group that computes sums: one for each component at CAROM_GROUP nodes. Afterwards the first CAROM_GROUP threads
// have one node each.
constexpr int ADDERS = 3 * CAROM_GROUP;

// Slots that a thread prefetches before it adds them.
constexpr int AHEAD = 4;

// The sum at the node of each of the first CAROM_GROUP threads, as carom_thread_gather. All threads of the group must call it.
__device__ __forceinline__ void gather_group(const carom_thread_nodes &n, double f[3]) {
    __shared__ double sums[ADDERS];
    int k = blockIdx.x * CAROM_GROUP + threadIdx.x / 3, c = threadIdx.x % 3;
    if (k < n.count) {
        const double *at = n.slots + c;
        double sum = n.start ? n.start[3 * (ptrdiff_t)k + c] : 0, ahead[AHEAD];
        int i = n.gather_begin[k], end = n.gather_begin[k + 1];
        for (; i + AHEAD <= end; i += AHEAD) {
            for (int j = 0; j < AHEAD; j++)
                ahead[j] = at[3 * (ptrdiff_t)(i + j)];
            for (int j = 0; j < AHEAD; j++)
                sum += ahead[j];
        }
        for (; i < end; i++)
            sum += at[3 * (ptrdiff_t)i];
        sums[threadIdx.x] = sum;
    }
    __syncthreads();
    for (int i = 0; i < 3 && threadIdx.x < CAROM_GROUP; i++)
        f[i] = sums[3 * threadIdx.x + i];
}

__global__ void __launch_bounds__(ADDERS) gather_nodes(const carom_thread_nodes n) {
    int k = blockIdx.x * CAROM_GROUP + threadIdx.x;
    double f[3];
    gather_group(n, f);
    if (threadIdx.x >= CAROM_GROUP)
        return;
    for (int c = 0; c < 3 && k < n.count; c++)
        n.force[3 * (ptrdiff_t)k + c] = f[c];
}

void gather(const carom_thread_nodes *n) {
    if (n->count)
        gather_nodes<<<groups_of(n->count), ADDERS>>>(*n);
    holds(cudaGetLastError());
}

// The bits of nonnegative numbers, as integers, have the order of the numbers, so the maximum does not depend on the order of
// the threads. NaN is ignored.
__global__ void __launch_bounds__(ADDERS) kick_nodes(const carom_thread_nodes n, double h, unsigned long long *most) {
    int k = blockIdx.x * CAROM_GROUP + threadIdx.x;
    double change = 0, f[3];
    gather_group(n, f);
    if (threadIdx.x >= CAROM_GROUP)
        return;
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
        kick_nodes<<<groups_of(n->count), ADDERS>>>(*n, h, (unsigned long long *)most);
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

// Number of groups that share all nodes, CAROM_GROUP nodes at a time: each adds its sums to the global ones once.
constexpr int GROUPS_OF_SUMS = 1056;

int groups_in_turn(int count) {
    return groups_of(count) < GROUPS_OF_SUMS ? groups_of(count) : GROUPS_OF_SUMS;
}

// Adds the terms of a warp to a sum in shared memory. All of its threads must call it. If the terms have the same digits, as
// usual, they are summed in the warp before one thread adds them; sums of integers do not depend on the order.
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

// Clears sums in shared memory; add_sums adds them to those in global memory.
__device__ void start_sums(int count, long long *digits, unsigned *special) {
    for (int i = threadIdx.x; i < count * CAROM_THREAD_DIGITS; i += CAROM_GROUP)
        digits[i] = 0;
    for (int i = threadIdx.x; i < count; i += CAROM_GROUP)
        special[i] = 0;
    __syncthreads();
}

__device__ void add_sums(int count, const long long *digits, const unsigned *special, const carom_thread_sums &sums) {
    __syncthreads();
    for (int i = threadIdx.x; i < count * CAROM_THREAD_DIGITS; i += CAROM_GROUP)
        if (digits[i])
            atomicAdd((unsigned long long *)&sums.digits[i], (unsigned long long)digits[i]);
    for (int i = threadIdx.x; i < count; i += CAROM_GROUP)
        if (special[i])
            atomicOr(&sums.special[i], special[i]);
}

// Raises *most, in global memory, to the largest number of a warp, if that is positive.
__device__ void report_most(double value, double *most) {
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
                push.report->stray = 1;
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
    report_most(most, &push.report->most);
    report_most(fastest, &push.report->fastest);
    add_sums(SUMS, digits, special, push.sums);
}

void push(const carom_thread_nodes *n, const carom_thread_push *push) {
    if (n->count)
        push_nodes<<<groups_in_turn(n->count), CAROM_GROUP>>>(*n, *push);
    holds(cudaGetLastError());
}

__global__ void __launch_bounds__(CAROM_GROUP)
    settle_nodes(const carom_thread_nodes n, double after, const carom_thread_sums sums, carom_thread_reported *report) {
    __shared__ long long digits[CAROM_THREAD_MOTION_SUMS * CAROM_THREAD_DIGITS];
    __shared__ unsigned special[CAROM_THREAD_MOTION_SUMS];
    start_sums(CAROM_THREAD_MOTION_SUMS, digits, special);
    for (int begin = blockIdx.x * CAROM_GROUP; begin < n.count; begin += gridDim.x * CAROM_GROUP) {
        int k = begin + threadIdx.x;
        double terms[CAROM_THREAD_MOTION_SUMS] = {0, 0};
        if (k < n.count && !n.held[k] && !carom_thread_settle_node(&n, after, k, n.v, terms))
            report->stray = 1;
        add_terms(terms[0], digits, special);
        if (n.load)
            add_terms(terms[1], digits + CAROM_THREAD_DIGITS, special + 1);
    }
    add_sums(CAROM_THREAD_MOTION_SUMS, digits, special, sums);
}

void settle(const carom_thread_nodes *n, double after, carom_thread_sums sums, carom_thread_reported *report) {
    if (n->count)
        settle_nodes<<<groups_in_turn(n->count), CAROM_GROUP>>>(*n, after, sums, report);
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
    add_sums(columns, digits, special, sums);
}

void sum(const double *table, int rows, int columns, carom_thread_sums sums) {
    if (rows)
        sum_columns<<<groups_in_turn(rows), CAROM_GROUP>>>(table, rows, columns, sums);
    holds(cudaGetLastError());
}

} // namespace
