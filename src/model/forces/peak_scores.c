// SPDX-License-Identifier: MIT
// Computes the scores of elements: the stresses and strains whose extremes a run records (peaks.h). They are those of the
// fields in frames (pictures of the animation), so that the extreme over all steps is never less than that of a frame. A bar
// has a uniaxial stress s: von Mises |s|, principal stresses s, 0 and 0.
#include "model/forces/peak_scores.h"

#include <math.h>
#include <string.h>

#include "element/solid/solid_point.h"
#include "math/lanes.h"

// Components of the three tensor fields: one of von Mises, three of stress, three of strain.
enum { COMPONENTS = 7 };

// Which scores of a batch may exceed the limits.
enum { WANT_STRESS = 1, WANT_STRAIN = 2 };

// Larger values come from elements whose field has no solution.
static const double score_max = 1e100;

static int number_of(const carom_element *element, const char *name, int components) {
    for (int f = 0; f < CAROM_ELEMENT_FIELDS_MAX && element->fields[f].name; f++)
        if (strcmp(element->fields[f].name, name) == 0 && element->fields[f].components == components)
            return f;
    return -1;
}

carom_peak_source carom_peak_source_of(const carom_element *element) {
    carom_peak_source source = {
        .von_mises = number_of(element, "von_mises", 1),
        .principal = number_of(element, "principal_stress", 3),
        .strain = number_of(element, "principal_strain", 3),
        .axial_stress = -1,
        .axial_strain = -1,
    };
    // a partial stress has other principal values than the total one; its equivalent stress is the same
    if (element->parted)
        source.principal = -1;
    // an element with tensor fields is not a bar
    if (source.von_mises < 0 && source.principal < 0 && source.strain < 0 && element->field) {
        source.axial_stress = number_of(element, "axial_stress", 1);
        source.axial_strain = number_of(element, "axial_strain", 1);
    }
    return source;
}

bool carom_peak_source_has(const carom_peak_source *source, carom_peak_kind kind) {
    bool stress = source->axial_stress >= 0, strain = source->axial_strain >= 0;
    switch (kind) {
    case CAROM_PEAK_VON_MISES: return stress || source->von_mises >= 0;
    case CAROM_PEAK_STRAIN: return strain || source->strain >= 0;
    default: return stress || source->principal >= 0;
    }
}

bool carom_block_is_scored(const carom_model *model, const carom_block *block) {
    if (model->skip_peaks)
        return false;
    const carom_body *body = &model->bodies[block->body];
    const carom_block *last = &model->blocks[body->block_begin + body->block_count - 1];
    if (block->element->framed ||
        (last->element->parted ? !carom_block_has_cells(block) : !carom_block_has_cells(last) && carom_block_has_cells(block)))
        return false;
    carom_peak_source source = carom_peak_source_of(block->element);
    bool any = false;
    for (int kind = 0; kind < CAROM_PEAK_KINDS; kind++)
        any = any || carom_peak_source_has(&source, (carom_peak_kind)kind);
    return any && (block->element->show || block->element->field);
}

int64_t carom_peak_buffer(const carom_block *block) {
    return block->element->show ? 0 : (int64_t)COMPONENTS * block->count;
}

// Replaces minus zero by zero, which has other bits.
static double score_of(double value) {
    return value > -score_max && value < score_max ? value + 0.0 : CAROM_NO_SCORE;
}

// The fields of one element; NULL: none.
typedef struct shown {
    const double *von_mises, *principal, *strain;
} shown;

// Stores the values of `count` elements, of which the first has index `first` in the range.
static void put_tensors(const shown *at, int first, int count, carom_peak_scores *scores) {
    for (int i = 0; at->von_mises && i < count; i++)
        scores->of[CAROM_PEAK_VON_MISES][first + i] = score_of(at->von_mises[i]);
    for (int i = 0; at->principal && i < count; i++) {
        scores->of[CAROM_PEAK_PRINCIPAL][first + i] = score_of(at->principal[3 * i]);
        scores->of[CAROM_PEAK_LEAST][first + i] = score_of(-at->principal[3 * i + 2]);
    }
    for (int i = 0; at->strain && i < count; i++)
        scores->of[CAROM_PEAK_STRAIN][first + i] = score_of(at->strain[3 * i]);
}

// The field of a range by `field`, in the section of the buffer that belongs to the range.
static const double *field_values(const carom_block *block, int begin, int end, const double (*x)[3], const double (*X)[3],
                                  int field, double *buffer) {
    if (field < 0)
        return NULL;
    block->element->field(block, begin, end, x, X, field, buffer);
    return buffer + (ptrdiff_t)block->element->fields[field].components * begin;
}

static void read_tensors(const carom_block *block, int begin, int end, const double (*x)[3], const double (*X)[3],
                         double *scratch, carom_peak_scores *scores) {
    carom_peak_source source = carom_peak_source_of(block->element);
    ptrdiff_t n = block->count;
    shown at = {
        .von_mises = field_values(block, begin, end, x, X, source.von_mises, scratch),
        .principal = field_values(block, begin, end, x, X, source.principal, scratch + n),
        .strain = field_values(block, begin, end, x, X, source.strain, scratch + 4 * n),
    };
    put_tensors(&at, 0, end - begin, scores);
}

static void show_tensors(const carom_block *block, int begin, int end, const double (*x)[3], const double (*X)[3],
                         carom_peak_scores *scores) {
    carom_peak_source source = carom_peak_source_of(block->element);
    double buffer[COMPONENTS * CAROM_SCORES_MAX], *values[CAROM_ELEMENT_FIELDS_MAX] = {NULL};
    shown at = {NULL, NULL, NULL};
    if (source.von_mises >= 0)
        at.von_mises = values[source.von_mises] = buffer;
    if (source.principal >= 0)
        at.principal = values[source.principal] = buffer + CAROM_SCORES_MAX;
    if (source.strain >= 0)
        at.strain = values[source.strain] = buffer + 4 * CAROM_SCORES_MAX;
    block->element->show(block, begin, end, x, X, values);
    put_tensors(&at, 0, end - begin, scores);
}

static void put_axial(const carom_block *block, int begin, int end, const double (*x)[3], const double (*X)[3],
                      const carom_peak_source *source, double *scratch, carom_peak_scores *scores) {
    const double *stress = field_values(block, begin, end, x, X, source->axial_stress, scratch);
    const double *strain = field_values(block, begin, end, x, X, source->axial_strain, scratch + block->count);
    for (int i = 0; i < end - begin; i++) {
        double s = stress ? stress[i] : 0;
        if (stress) {
            scores->of[CAROM_PEAK_VON_MISES][i] = score_of(s < 0 ? -s : s);
            scores->of[CAROM_PEAK_PRINCIPAL][i] = score_of(s < 0 ? 0 : s);
            scores->of[CAROM_PEAK_LEAST][i] = score_of(s < 0 ? -s : 0);
        }
        if (strain)
            scores->of[CAROM_PEAK_STRAIN][i] = score_of(strain[i]);
    }
}

// Upper bounds of the scores of a symmetric tensor a without eigenvalues: with the mean m and q = sqrt(2/3) |dev a| no
// eigenvalue is above m + q or below m - q. Widened by more than the rounding error of either.
typedef struct bounds {
    double largest, least;
} bounds;

static bounds bounds_of(const double *tensor) {
    double a = tensor[0], b = tensor[CAROM_LANES], c = tensor[2 * CAROM_LANES];
    double d = tensor[3 * CAROM_LANES], e = tensor[4 * CAROM_LANES], f = tensor[5 * CAROM_LANES];
    double ab = a - b, bc = b - c, ca = c - a, mean = (a + b + c) * (1.0 / 3);
    double square = (ab * ab + bc * bc + ca * ca) * (1.0 / 3) + 2 * (d * d + e * e + f * f);
    double q = sqrt(2.0 / 3 * square), slack = 1e-12 * ((mean < 0 ? -mean : mean) + q);
    return (bounds){mean + q + slack, q - mean + slack};
}

// Determines which scores of a batch may exceed the limits. NaN counts as exceeding, so that the field itself decides.
static int possible_scores(const double *tensors, int from, int to, const carom_peak_limits *limits, int before) {
    int any = 0;
    for (int l = from; l < to; l++) {
        bounds stress = bounds_of(tensors + l), strain = bounds_of(tensors + 6 * CAROM_LANES + l);
        double envelope = limits->envelopes[CAROM_ENVELOPES * (before + l) + CAROM_PEAK_PRINCIPAL];
        double principal = limits->of[CAROM_PEAK_PRINCIPAL] < envelope ? limits->of[CAROM_PEAK_PRINCIPAL] : envelope;
        if (!(stress.largest <= principal && stress.least <= limits->of[CAROM_PEAK_LEAST]))
            any |= WANT_STRESS;
        if (!(strain.largest <= limits->of[CAROM_PEAK_STRAIN]))
            any |= WANT_STRAIN;
    }
    return any;
}

// Solids: the tensors and von Mises, but eigenvalues only of batches in which they may exceed the limits. The fields are
// computed by the same function as in frames, and have the same bits.
static void find_solid_scores(const carom_block *block, int begin, int end, const double (*x)[3], const double (*X)[3],
                              const carom_peak_limits *limits, carom_peak_scores *scores) {
    carom_peak_source source = carom_peak_source_of(block->element);
    for (int first = begin - begin % CAROM_LANES; first < end; first += CAROM_LANES) {
        double tensors[CAROM_LANES * CAROM_SOLID_TENSORS] = {0}, buffer[COMPONENTS * CAROM_LANES];
        double *values[CAROM_ELEMENT_FIELDS_MAX] = {NULL};
        int from = first < begin ? begin - first : 0, to = first + CAROM_LANES < end ? CAROM_LANES : end - first;
        carom_solid_tensors(block, first, first + to, x, X, tensors);
        int own = limits->envelopes ? possible_scores(tensors, from, to, limits, first - begin) : WANT_STRESS | WANT_STRAIN;
        shown at = {NULL, NULL, NULL};
        at.von_mises = values[source.von_mises] = buffer;
        if (own & WANT_STRESS && source.principal >= 0)
            at.principal = values[source.principal] = buffer + CAROM_LANES;
        if (own & WANT_STRAIN)
            at.strain = values[source.strain] = buffer + 4 * CAROM_LANES;
        carom_solid_show(tensors, from, to, values);
        put_tensors(&at, first + from - begin, to - from, scores);
    }
}

void carom_peak_find_scores(const carom_block *block, int begin, int end, const double (*x)[3], const double (*X)[3],
                            const carom_peak_limits *limits, double *scratch, carom_peak_scores *scores) {
    carom_peak_source source = carom_peak_source_of(block->element);
    for (int kind = 0; kind < CAROM_PEAK_KINDS; kind++)
        for (int i = 0; i < end - begin; i++)
            scores->of[kind][i] = CAROM_NO_SCORE;
    if (source.axial_stress >= 0 || source.axial_strain >= 0)
        put_axial(block, begin, end, x, X, &source, scratch, scores);
    else if (block->element->show == carom_solid_fields)
        find_solid_scores(block, begin, end, x, X, limits, scores);
    else if (block->element->show)
        show_tensors(block, begin, end, x, X, scores);
    else
        read_tensors(block, begin, end, x, X, scratch, scores);
}
