// SPDX-License-Identifier: MIT
// A gate of `expect:` compares a result of the finished run with a condition. Results are the quantities of the table below,
// taken from the summary or the simulation, columns of probes at the last step, largest filtered values of probes, and largest
// stresses or strains of bodies. NaN (for example the time of a contact that did not occur) fulfils no condition.
#include "scene/expect.h"

#include <ctype.h>
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "carom/integrator.h"
#include "carom/rigid.h"
#include "carom/text.h"
#include "model/model.h"
#include "model/state.h"
#include "model/state/history.h"
#include "model/state/ledger_columns.h"

const char carom_condition_expected[] = "a condition: \"< x\", \"<= x\", \"> x\", \">= x\", \"== x\", \"a .. b\" or a number";

#define NUMBER "[-+]?(\\d+\\.?\\d*|\\.\\d+)([eE][-+]?\\d+)?"
// The same grammar as carom_condition_parse, for the JSON Schema.
const char carom_condition_pattern[] = "^ *((<|<=|>|>=|==)? *" NUMBER "|" NUMBER " *\\.\\. *" NUMBER ") *$";

// A number of exactly `size` bytes, blanks around it ignored.
static bool parse_number(const char *text, size_t size, double *value) {
    while (size && *text == ' ')
        text++, size--;
    while (size && text[size - 1] == ' ')
        size--;
    char copy[CAROM_NAME_MAX];
    if (size >= sizeof copy)
        return false;
    memcpy(copy, text, size);
    copy[size] = 0;
    static const carom_param row = {.name = "", .type = CAROM_PARAM_REAL};
    return carom_param_parse(&row, copy, value, NULL) == CAROM_OK;
}

// Longer signs stand first in the table, so that "<=" is not read as "<".
bool carom_condition_parse(const char *text, carom_condition *condition) {
    static const struct {
        const char *sign;
        carom_relation relation;
    } signs[] = {
        {"<=", CAROM_RELATION_LESS_EQUAL}, {">=", CAROM_RELATION_GREATER_EQUAL}, {"==", CAROM_RELATION_EQUAL},
        {"<", CAROM_RELATION_LESS},        {">", CAROM_RELATION_GREATER},
    };
    text += strspn(text, " ");
    *condition = (carom_condition){.relation = CAROM_RELATION_EQUAL};
    // a range is recognised first: "1 .. 2" also begins with a number
    const char *dots = strstr(text, "..");
    if (dots) {
        condition->relation = CAROM_RELATION_BETWEEN;
        condition->second = NAN;
        return parse_number(text, (size_t)(dots - text), &condition->first) &&
               parse_number(dots + 2, strlen(dots + 2), &condition->second) && condition->first <= condition->second;
    }
    for (size_t i = 0; i < sizeof signs / sizeof *signs; i++) {
        size_t size = strlen(signs[i].sign);
        if (strncmp(text, signs[i].sign, size) != 0)
            continue;
        condition->relation = signs[i].relation;
        text += size;
        break;
    }
    return parse_number(text, strlen(text), &condition->first);
}

// Comparisons with NaN are false, so NaN meets none of the conditions.
bool carom_condition_holds(const carom_condition *condition, double value) {
    switch (condition->relation) {
    case CAROM_RELATION_LESS: return value < condition->first;
    case CAROM_RELATION_LESS_EQUAL: return value <= condition->first;
    case CAROM_RELATION_GREATER: return value > condition->first;
    case CAROM_RELATION_GREATER_EQUAL: return value >= condition->first;
    case CAROM_RELATION_EQUAL: return value == condition->first;
    case CAROM_RELATION_BETWEEN: return value >= condition->first && value <= condition->second;
    }
    return false;
}

// Energies are reported relative to the energy scale. A scene without any energy has scale 0, and its
// losses are 0 as well.
static double of_scale(double energy, const carom_summary *summary) {
    return energy == 0 ? 0 : energy / summary->energy_scale;
}

// A quantity is a function of the simulation and its summary; most are one expression.
#define QUANTITY(name, expression)                                           \
    static double name(const carom_sim *sim, const carom_summary *summary) { \
        (void)sim;                                                           \
        (void)summary;                                                       \
        return expression;                                                   \
    }

// from the summary of the run
QUANTITY(energy_error, summary->energy_error)
QUANTITY(momentum_error, summary->momentum_error)
QUANTITY(angular_momentum_error, summary->angular_momentum_error)
QUANTITY(conserved_momentum_error, summary->conserved_error[0])
QUANTITY(conserved_angular_momentum_error, summary->conserved_error[1])
QUANTITY(max_penetration, summary->max_penetration)
QUANTITY(intersections, (double)summary->intersections)
QUANTITY(minimum_distance, summary->minimum_distance)
QUANTITY(contact_events, (double)summary->contact_events)
QUANTITY(steps, (double)summary->steps)
// from the ledger at the end of the run, relative to the energy scale
#define LOSS(name, field, role, ...) CAROM_LEDGER_IF_LOSS_##role(QUANTITY(name##_loss, of_scale(summary->last.field, summary)))
CAROM_LEDGER_COLUMNS(LOSS)
QUANTITY(final_kinetic, of_scale(summary->last.kinetic, summary))
QUANTITY(max_plastic_strain, carom_history_most(carom_sim_state(sim), CAROM_INNER_PLASTIC_STRAIN))
QUANTITY(max_temperature, carom_history_most(carom_sim_state(sim), CAROM_INNER_TEMPERATURE))
QUANTITY(energy_change, of_scale(summary->last.total - summary->first.total, summary))
QUANTITY(final_residual, of_scale(fabs(summary->last.residual), summary))
QUANTITY(largest_account, of_scale(summary->last.largest_account, summary))
QUANTITY(macroscopic_restitution, summary->pair_count ? carom_summary_restitution(sim, &summary->pairs[0]) : (double)NAN)

// A number of the records of all pairs, joined; `none` if nothing touched. fmin and fmax ignore NaN, so pairs that never
// touched do not count.
static double join_pairs(const carom_summary *summary, double none, double (*join)(double, double), size_t offset) {
    double value = none;
    for (int i = 0; i < summary->pair_count; i++)
        value = join(value, *(const double *)((const char *)&summary->pairs[i] + offset));
    return value;
}

// the earliest and the latest contact of any pair, and the largest contact force
QUANTITY(first_contact, join_pairs(summary, NAN, fmin, offsetof(carom_pair_record, first_contact)))
QUANTITY(last_contact, join_pairs(summary, NAN, fmax, offsetof(carom_pair_record, last_contact)))
QUANTITY(peak_force, join_pairs(summary, 0, fmax, offsetof(carom_pair_record, peak_force)))

// The counter of that name of the integrator; NaN if the method does not have it.
static double counted(const carom_sim *sim, const char *name) {
    const carom_integrator *method = (const carom_integrator *)carom_sim_integrator(sim);
    const carom_method_result *counts = carom_integrator_result(method, CAROM_RESULT_COUNTS);
    for (int i = 0; counts && counts->labels[i]; i++)
        if (strcmp(counts->labels[i], name) == 0)
            return carom_method_result_values(counts, carom_sim_state(sim))[i];
    return NAN;
}

// counters of nonsmooth-newmark; NaN for other methods
QUANTITY(most_passes, counted(sim, "most_passes"))
QUANTITY(halved_steps, counted(sim, "halved"))

// The largest of all bodies; NaN if none has stresses.
static double peak_of_all(const carom_summary *summary, carom_peak_kind kind) {
    const carom_peak *peak = carom_summary_peak(summary, NULL, kind);
    return peak ? peak->value : (double)NAN;
}

QUANTITY(max_von_mises, peak_of_all(summary, CAROM_PEAK_VON_MISES))
QUANTITY(max_principal, peak_of_all(summary, CAROM_PEAK_PRINCIPAL))
QUANTITY(min_principal, peak_of_all(summary, CAROM_PEAK_LEAST))
QUANTITY(max_strain, peak_of_all(summary, CAROM_PEAK_STRAIN))

// The largest of a body, or of those of an array; NaN if none of them has stresses.
static double peak_of(const carom_sim *sim, const carom_summary *summary, const char *name, carom_peak_kind kind) {
    const carom_model *model = carom_sim_model(sim);
    double sign = kind == CAROM_PEAK_LEAST ? -1 : 1, most = NAN;
    for (int b = 0; b < model->body_count; b++) {
        const carom_peak *peak =
            carom_body_is_called(&model->bodies[b], name) ? carom_summary_peak(summary, model->bodies[b].name, kind) : NULL;
        if (peak && !(sign * peak->value <= sign * most))
            most = peak->value;
    }
    return most;
}

// The sum over all kinds of events.
static double numerical_events(const carom_sim *sim, const carom_summary *summary) {
    (void)sim;
    double sum = 0;
    for (int i = 0; i < CAROM_EVENT_COUNT; i++)
        sum += (double)summary->events[i];
    return sum;
}

// The table of results, which also becomes the manual and the JSON Schema. A result with a law is exactly
// zero in theory; the verification manual compares it with 0.
const carom_quantity *carom_quantities(int *count) {
    static const carom_quantity quantities[] = {
        {"energy_error", energy_error,
         "Largest residual of the ledger over the energy scale: with `resolve: exact` the error of impacts in the middle of a "
         "step, and the energy error of the integrator where the column `oscillation` is 0. For linear bodies by `newmark-dcr` "
         "that error is the oscillation, which is not part of it. Drifts are taken at the rows of the history.",
         "balance of energy"},
        {"momentum_error", momentum_error, "Largest unexplained change of momentum over the momentum scale.",
         "balance of momentum"},
        {"angular_momentum_error", angular_momentum_error, "The same for the angular momentum.", "balance of angular momentum"},
        {"conserved_momentum_error", conserved_momentum_error,
         "Largest change of the components of momentum that no load, plane or restraint can change, over the momentum scale.",
         "conservation of momentum"},
        {"conserved_angular_momentum_error", conserved_angular_momentum_error, "The same for the angular momentum.",
         "conservation of angular momentum"},
        {"max_penetration", max_penetration, "Largest overlap (length) of the configurations at the rows of the history.",
         "impenetrability"},
        {"intersections", intersections, "Largest number of intersecting pairs of faces at any frame of the animation.",
         "impenetrability"},
        {"minimum_distance", minimum_distance,
         "Smallest distance between surfaces of two bodies at any frame of the animation."},
        {"contact_events", contact_events, "Number of contact impulses."},
        {"steps", steps, "Number of steps."},
        {"first_contact", first_contact, "Time of the first impulse between any two bodies."},
        {"last_contact", last_contact, "Time of the last impulse between any two bodies."},
        {"peak_force", peak_force,
         "Largest normal contact force of any two bodies, as a mean over a window of the run (`output.history.force_window`)."},
#define LOSS_ROW(name, field, role, presence, unit, label) \
    CAROM_LEDGER_IF_LOSS_##role({#name "_loss", name##_loss, "Energy " label " over the energy scale."}, )
        CAROM_LEDGER_COLUMNS(LOSS_ROW){"max_plastic_strain", max_plastic_strain,
                                       "Largest plastic strain of any point of elastoplastic materials."},
        {"max_temperature", max_temperature, "Largest temperature of any point of the materials that heat, at the end."},
        {"final_kinetic", final_kinetic, "Kinetic energy at the end over the energy scale: what has not come to rest."},
        {"energy_change", energy_change, "Total energy at the end minus that at the start, over the energy scale."},
        {"final_residual", final_residual, "Absolute residual of the ledger at the end, over the energy scale.",
         "balance of energy"},
        {"largest_account", largest_account,
         "Largest energy that a pair of bouncing bodies ever owed or was owed, over the energy scale."},
        {"macroscopic_restitution", macroscopic_restitution,
         "Separation speed over approach speed of the mass centres of the first pair that touched."},
        {"max_von_mises", max_von_mises, "Largest von Mises stress of any element at any step."},
        {"max_principal", max_principal, "Largest principal stress over all steps and bodies; tension is positive."},
        {"min_principal", min_principal, "Smallest principal stress over all steps and bodies: the largest compression."},
        {"max_strain", max_strain, "Largest principal strain over all steps and bodies."},
        {"numerical_events", numerical_events, "Numerical events of all kinds."},
        {"most_passes", most_passes, "Largest number of quadratic programmes in one step of `nonsmooth-newmark`."},
        {"halved_steps", halved_steps, "Number of halved steps of `nonsmooth-newmark`."},
    };
    *count = sizeof quantities / sizeof *quantities;
    return quantities;
}

// Endings of the columns of probes.csv: position, displacement, velocity, and those of rigid bodies.
static const char *const columns[] = {"x",  "y",  "z",  "ux", "uy", "uz", "vx", "vy", "vz", "rx", "ry",
                                      "rz", "wx", "wy", "wz", "px", "py", "pz", "lx", "ly", "lz"};
enum { COLUMNS = sizeof columns / sizeof *columns };

// Columns come in groups of three, which are recorded together.
// True if the probe records that column.
static bool has_column(const carom_probe_def *probe, int column) {
    const bool recorded[COLUMNS / 3] = {probe->position,         probe->displacement, probe->velocity,        probe->rotation,
                                        probe->angular_velocity, probe->momentum,     probe->angular_momentum};
    return recorded[column / 3];
}

// Appends names to a message, as many as fit.
static size_t list_names(char *hint, size_t used, size_t size, const char **words, int begin, int end) {
    for (int i = begin; i < end; i++) {
        const char *comma = used && hint[used - 1] != ' ' ? ", " : "";
        // leave space for " ..." and the final zero
        if (used + strlen(comma) + strlen(words[i]) + 6 > size)
            return used + (size_t)snprintf(hint + used, size - used, " ...");
        used += (size_t)snprintf(hint + used, size - used, "%s%s", comma, words[i]);
    }
    return used;
}

// If the name is a column that its probe does not record, writes what to record; false otherwise.
static bool suggest_record(const char *name, const carom_probe_def *probes, int probe_count, char *hint, size_t size) {
    static const char *const words[COLUMNS / 3] = {"position",         "displacement", "velocity",        "rotation",
                                                   "angular_velocity", "momentum",     "angular_momentum"};
    const char *dot = strrchr(name, '.');
    for (int p = 0; dot && p < probe_count; p++)
        for (int c = 0; c < COLUMNS; c++)
            if (strlen(probes[p].name) == (size_t)(dot - name) && strncmp(probes[p].name, name, (size_t)(dot - name)) == 0 &&
                strcmp(columns[c], dot + 1) == 0) {
                snprintf(hint, size, ": add `%s` to `record` of probe '%s'", words[c / 3], probes[p].name);
                return true;
            }
    return false;
}

// Suggests the nearest name, or lists all names if none is near: columns of probes first if the name has a
// dot, quantities first otherwise.
static void suggest(const char *name, const carom_probe_def *probes, int probe_count, char *hint, size_t size) {
    int quantity_count;
    const carom_quantity *quantities = carom_quantities(&quantity_count);
    size_t name_size = CAROM_NAME_MAX + 32, used = 0;
    size_t most = (size_t)quantity_count + (size_t)probe_count * (COLUMNS + 2);
    // without memory there is no hint
    const char **words = calloc(most, sizeof *words);
    char *names = calloc((size_t)probe_count * (COLUMNS + 2) + 1, name_size);
    hint[0] = 0;
    if (words && names) {
        int count = 0;
        for (int i = 0; i < quantity_count; i++)
            words[count++] = quantities[i].name;
        for (int p = 0; p < probe_count; p++)
            for (int c = 0; c < COLUMNS + 2; c++) {
                bool force = c > COLUMNS, recorded = force ? probes[p].force : probes[p].acceleration;
                if (c < COLUMNS ? !has_column(&probes[p], c) : !recorded || probes[p].filter == CAROM_FILTER_NONE)
                    continue;
                snprintf(names + used, name_size, "%s.%s", probes[p].name,
                         c < COLUMNS ? columns[c] : carom_filtered_name(force));
                words[count++] = names + used;
                used += name_size;
            }
        const char *nearest = carom_text_nearest(name, words, count);
        if (nearest) {
            snprintf(hint, size, " (did you mean '%s'?)", nearest);
        } else {
            bool probe = strchr(name, '.');
            size_t length = (size_t)snprintf(hint, size, "; there are ");
            length = list_names(hint, length, size, words, probe ? quantity_count : 0, probe ? count : quantity_count);
            list_names(hint, length, size, words, probe ? 0 : quantity_count, probe ? quantity_count : count);
        }
    }
    free(words);
    free(names);
}

// A quantity, or PROBE.COLUMN; names of probes contain no dot.
bool carom_subject_find(const char *name, const carom_probe_def *probes, int probe_count, carom_subject *subject, char *hint,
                        size_t size) {
    int count;
    const carom_quantity *quantities = carom_quantities(&count);
    *subject = (carom_subject){.probe = -1};
    for (int i = 0; i < count; i++)
        if (strcmp(quantities[i].name, name) == 0)
            subject->quantity = &quantities[i];
    if (subject->quantity)
        return true;

    const char *dot = strrchr(name, '.');
    for (int p = 0; dot && p < probe_count; p++) {
        size_t length = strlen(probes[p].name);
        if (length != (size_t)(dot - name) || memcmp(probes[p].name, name, length) != 0)
            continue;
        for (int c = 0; c < COLUMNS; c++)
            if (strcmp(columns[c], dot + 1) == 0 && has_column(&probes[p], c)) {
                *subject = (carom_subject){.probe = p, .column = c};
                return true;
            }
        for (int force = 0; force < 2; force++)
            if (strcmp(carom_filtered_name(force), dot + 1) == 0 && probes[p].filter != CAROM_FILTER_NONE &&
                (force ? probes[p].force : probes[p].acceleration)) {
                *subject = (carom_subject){.probe = p, .column = -1, .force = force};
                return true;
            }
    }
    if (!suggest_record(name, probes, probe_count, hint, size))
        suggest(name, probes, probe_count, hint, size);
    return false;
}

bool carom_subject_find_peak(const char *name, carom_subject *subject) {
    const char *dot = strrchr(name, '.');
    for (int kind = 0; dot && kind < CAROM_PEAK_KINDS; kind++) {
        if (strcmp(dot + 1, carom_peak_name((carom_peak_kind)kind)) != 0 || dot - name >= CAROM_NAME_MAX)
            continue;
        *subject = (carom_subject){.probe = -1, .kind = (carom_peak_kind)kind};
        memcpy(subject->body, name, (size_t)(dot - name));
        return true;
    }
    return false;
}

// Mean weighted by mass, as in probes.csv; a single node keeps its bits.
static double mean(const double (*values)[3], const double *mass, const int *nodes, int count, int axis) {
    if (count == 1)
        return values[nodes[0]][axis];
    double sum = 0, weight = 0, total = 0;
    for (int i = 0; i < count; i++)
        total += mass[nodes[i]];
    for (int i = 0; i < count; i++) {
        double m = total > 0 ? mass[nodes[i]] : 1;
        sum += m * values[nodes[i]][axis];
        weight += m;
    }
    return sum / weight;
}

// A component of rotation, angular velocity, momentum or angular momentum of a rigid body.
static double turning(const carom_state *state, int body, int column) {
    carom_rigid_motion motion;
    if (!carom_state_rigid_motion(state, body, &motion))
        return NAN;
    const double *const turns[] = {motion.rotation, motion.angular_velocity, motion.momentum, motion.angular_momentum};
    return turns[column / 3][column % 3];
}

// The largest filtered value of a probe; NaN if the run was too short for a sample.
static double filtered_of(const carom_summary *summary, const char *probe, bool force) {
    for (int i = 0; i < summary->filtered_count; i++)
        if (summary->filtered[i].force == force && strcmp(summary->filtered[i].probe, probe) == 0)
            return summary->filtered[i].value;
    return NAN;
}

double carom_subject_value(const carom_subject *subject, const carom_probe_def *probes, const carom_sim *sim,
                           const carom_summary *summary) {
    if (subject->quantity)
        return subject->quantity->value(sim, summary);
    if (subject->probe < 0)
        return peak_of(sim, summary, subject->body, subject->kind);
    if (subject->column < 0)
        return filtered_of(summary, probes[subject->probe].name, subject->force);

    const carom_model *model = carom_sim_model(sim);
    const carom_state *state = carom_sim_state(sim);
    const double *mass = carom_model_mass(model);
    int *nodes, count, axis = subject->column % 3;
    if (carom_model_select(model, &probes[subject->probe].where, &nodes, &count, NULL) != CAROM_OK)
        return NAN;
    double value;
    if (subject->column >= 9)
        value = turning(state, carom_model_node_body(model, nodes[0]), subject->column - 9);
    else if (subject->column >= 6)
        value = mean(carom_state_velocities(state), mass, nodes, count, axis);
    else
        value = mean(carom_state_positions(state), mass, nodes, count, axis);
    // displacement: current minus reference position
    if (subject->column >= 3 && subject->column < 6)
        value -= mean(carom_model_reference(model), mass, nodes, count, axis);
    free(nodes);
    return value;
}
