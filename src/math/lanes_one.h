// SPDX-License-Identifier: MIT
// A single lane for C++ compilers for devices, which have no vector types: a number with the operators of carom_lanes, a mask
// and a word. Included by lanes.h only.
#ifndef CAROM_MATH_LANES_ONE_H
#define CAROM_MATH_LANES_ONE_H

#include <math.h>

#ifndef CAROM_LANES_ONE
#error "C++ supports a single lane only: define CAROM_LANES_ONE"
#endif

#ifdef __CUDACC__
#define CAROM_MEMBER __device__ __forceinline__
#else
#define CAROM_MEMBER inline
#endif

struct carom_lanes_bits;

struct carom_lanes {
    double one;
    CAROM_MEMBER double &operator[](int) {
        return one;
    }
    CAROM_MEMBER double operator[](int) const {
        return one;
    }
    CAROM_MEMBER explicit operator carom_lanes_bits() const;
    CAROM_MEMBER void operator+=(carom_lanes b) {
        one = one + b.one;
    }
    CAROM_MEMBER void operator-=(carom_lanes b) {
        one = one - b.one;
    }
    CAROM_MEMBER void operator*=(carom_lanes b) {
        one = one * b.one;
    }
    CAROM_MEMBER void operator*=(double b) {
        one = one * b;
    }
    CAROM_MEMBER void operator+=(double b) {
        one = one + b;
    }
    CAROM_MEMBER carom_lanes operator-() const {
        return carom_lanes{-one};
    }
};

struct carom_lanes_bits {
    int64_t one;
    CAROM_MEMBER explicit operator carom_lanes() const {
        carom_lanes a;
        memcpy(&a.one, &one, sizeof one);
        return a;
    }
    CAROM_MEMBER void operator|=(carom_lanes_bits b) {
        one |= b.one;
    }
    CAROM_MEMBER int64_t operator[](int) const {
        return one;
    }
};

struct carom_lanes_words {
    uint64_t one;
};

CAROM_MEMBER carom_lanes::operator carom_lanes_bits() const {
    carom_lanes_bits b;
    memcpy(&b.one, &one, sizeof one);
    return b;
}

#define CAROM_LANES_OPERATOR(op)                                         \
    CAROM_MEMBER carom_lanes operator op(carom_lanes a, carom_lanes b) { \
        return carom_lanes{a.one op b.one};                              \
    }                                                                    \
    CAROM_MEMBER carom_lanes operator op(carom_lanes a, double b) {      \
        return carom_lanes{a.one op b};                                  \
    }                                                                    \
    CAROM_MEMBER carom_lanes operator op(double a, carom_lanes b) {      \
        return carom_lanes{a op b.one};                                  \
    }
CAROM_LANES_OPERATOR(+)
CAROM_LANES_OPERATOR(-)
CAROM_LANES_OPERATOR(*)
CAROM_LANES_OPERATOR(/)
#undef CAROM_LANES_OPERATOR

// All bits of a mask are set where the comparison holds.
#define CAROM_LANES_COMPARISON(op)                                            \
    CAROM_MEMBER carom_lanes_bits operator op(carom_lanes a, carom_lanes b) { \
        return carom_lanes_bits{a.one op b.one ? INT64_C(-1) : INT64_C(0)};   \
    }                                                                         \
    CAROM_MEMBER carom_lanes_bits operator op(carom_lanes a, double b) {      \
        return carom_lanes_bits{a.one op b ? INT64_C(-1) : INT64_C(0)};       \
    }
CAROM_LANES_COMPARISON(<)
CAROM_LANES_COMPARISON(>)
CAROM_LANES_COMPARISON(<=)
CAROM_LANES_COMPARISON(>=)
#undef CAROM_LANES_COMPARISON

#define CAROM_LANES_BITS_OPERATOR(op)                                                   \
    CAROM_MEMBER carom_lanes_bits operator op(carom_lanes_bits a, carom_lanes_bits b) { \
        return carom_lanes_bits{a.one op b.one};                                        \
    }                                                                                   \
    CAROM_MEMBER carom_lanes_bits operator op(carom_lanes_bits a, int64_t b) {          \
        return carom_lanes_bits{a.one op b};                                            \
    }
CAROM_LANES_BITS_OPERATOR(&)
CAROM_LANES_BITS_OPERATOR(|)
CAROM_LANES_BITS_OPERATOR(+)
CAROM_LANES_BITS_OPERATOR(-)
CAROM_LANES_BITS_OPERATOR(^)
CAROM_LANES_BITS_OPERATOR(>>)
#undef CAROM_LANES_BITS_OPERATOR

CAROM_MEMBER carom_lanes_bits operator~(carom_lanes_bits a) {
    return carom_lanes_bits{~a.one};
}
CAROM_MEMBER carom_lanes_bits operator==(carom_lanes_bits a, int64_t b) {
    return carom_lanes_bits{a.one == b ? INT64_C(-1) : INT64_C(0)};
}
CAROM_MEMBER carom_lanes_bits operator<(carom_lanes_bits a, int64_t b) {
    return carom_lanes_bits{a.one < b ? INT64_C(-1) : INT64_C(0)};
}
CAROM_MEMBER carom_lanes_words operator-(carom_lanes_words a, uint64_t b) {
    return carom_lanes_words{a.one - b};
}
CAROM_MEMBER carom_lanes_words operator+(carom_lanes_words a, uint64_t b) {
    return carom_lanes_words{a.one + b};
}
CAROM_MEMBER carom_lanes_words operator+(carom_lanes_words a, carom_lanes_words b) {
    return carom_lanes_words{a.one + b.one};
}
CAROM_MEMBER carom_lanes_words operator&(carom_lanes_words a, uint64_t b) {
    return carom_lanes_words{a.one & b};
}
CAROM_MEMBER carom_lanes_words operator|(carom_lanes_words a, uint64_t b) {
    return carom_lanes_words{a.one | b};
}
CAROM_MEMBER carom_lanes_words operator<<(carom_lanes_words a, int b) {
    return carom_lanes_words{a.one << b};
}
CAROM_MEMBER carom_lanes_words operator>>(carom_lanes_words a, int b) {
    return carom_lanes_words{a.one >> b};
}

CAROM_INLINE void carom_lanes_of_bits(const carom_lanes_bits *k, carom_lanes *lanes) {
    lanes->one = (double)k->one;
}

#endif
