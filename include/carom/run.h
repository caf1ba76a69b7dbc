// SPDX-License-Identifier: MIT
// A whole run: a simulation driven to its end with output, progress, checkpoints and signals.
#ifndef CAROM_RUN_H
#define CAROM_RUN_H

#include "carom/output.h"
#include "carom/peak.h"
#include "carom/profile.h"
#include "carom/sim.h"

#ifdef __cplusplus
extern "C" {
#endif

// How a run reports its progress, on stderr.
typedef enum carom_progress {
    CAROM_PROGRESS_NONE,  // not at all
    CAROM_PROGRESS_LINES, // a plain line now and then
    CAROM_PROGRESS_BAR,   // one line rewritten in place, for a terminal
} carom_progress;

// Settings of a run. Strings and definitions stay with the caller and are read during the run.
typedef struct carom_run_def {
    const char *scene;              // path of the scene, for the summary; NULL if there is none
    const char *title;              // NULL if there is none
    const carom_units *units;       // copied into the summary; NULL if there are none
    const char *scene_text;         // copied to DIR/scene.yaml if not NULL: the scene with all defaults filled in
    const carom_output_def *output; // NULL: write nothing
    bool discard;                   // write nothing, but measure drifts at the rows that `output` would have
    bool resume;                    // go on from DIR/checkpoint.carom
    int attempt;                    // number of earlier attempts with longer steps (carom_sim_retries)
    bool locked;                    // the caller holds the lock of DIR (carom/lock.h); otherwise the run takes it
    bool profile;                   // measure computing times: carom_summary.profile
    bool fixed_threads;             // every step uses all threads; otherwise the fastest number of them is chosen
    carom_phase_time setup;         // the time that making the simulation took, for the profile
    bool handle_signals;            // SIGINT, SIGTERM and SIGHUP end the run with a checkpoint
    carom_progress progress;        // written to stderr
    // Called once when the output is open and the state is that of the first step to be taken; may be NULL.
    void (*started)(const carom_sim *sim, void *context);
    // Called with a sentence for each change of the output of a resumed run, for a lock that was taken over, and if frames of a
    // large model are smaller or fewer than usual; may be NULL.
    void (*noted)(const char *text, void *context);
    void *context; // for `started` and `noted`
} carom_run_def;

// A run that writes nothing, shows no progress and does not handle signals.
CAROM_API carom_run_def carom_default_run_def(void);
// Catches the signals of `handle_signals` from now on: one that arrives before carom_run ends that run at its first step. For
// programs that must not be ended in between, for example because they lock the directory themselves. With several processes
// all must call it, and it returns when all have.
CAROM_API carom_status carom_run_catch_signals(carom_error *error);
// To be called before carom_run of a shared simulation (carom_sim_create_shared): rank 0 passes its definition; on the other
// ranks it is replaced by the parts that they need, with `output` as the storage of its output definition. They write nothing
// and call no callback.
CAROM_API void carom_run_def_share(carom_run_def *def, carom_output_def *output);

// Result of a run; also written as DIR/summary.json.
typedef struct carom_summary {
    int64_t steps;                                    // taken since time 0, those before a resumption included
    int64_t element_updates;                          // element force evaluations
    carom_division division;                          // of steps
    int64_t contact_events;                           // impulses exchanged
    int processes;                                    // that shared the model
    int rebalances;                                   // how often the model was redistributed to them
    double imbalance;                                 // work of the busiest over the mean, when last measured; 0: never
    int threads;                                      // that were allowed, of each process
    double threads_used;                              // the mean number of threads that a step could use, weighted by time
    double wall_seconds;                              // of this process (a resumed run counts from the resumption)
    carom_phase_time profile[CAROM_PHASE_COUNT];      // of this process; all zero without carom_run_def.profile
    carom_phase_time profile_mean[CAROM_PHASE_COUNT]; // of all processes that share the model
    carom_phase_time profile_most[CAROM_PHASE_COUNT]; // the largest of any of them, number by number
    int64_t memory[2];             // bytes, with a profile: the most that this process had, and that any of the others had
    double energy_error;           // max |residual| / energy_scale, over the history rows
    double momentum_error;         // max |p - p(0) - external impulse| / momentum_scale
    double angular_momentum_error; // the same of angular momentum, about the origin
    bool conserved[6];             // px, py, pz, lx, ly, lz: true if no load, plane or restraint of the model can change it
    double conserved_error[2];     // largest change of any of these, linear and angular, over the scales; nothing is subtracted
    double max_penetration;        // length; the largest recorded overlap of any accepted configuration
    int64_t audits;                // number of surface checks: at each frame of the animation, or as often if there is none
    int64_t intersections;         // pairs of faces that intersect, the most at any of these times
    double minimum_distance; // between the surfaces of different bodies, the least at these times; NaN if there are no two
    uint64_t state_hash;
    bool varies; // the last bits may differ from run to run (carom_integrator.varies), and the hash with them
    int64_t events[CAROM_EVENT_COUNT];
    double guard_kinetic;               // largest kinetic energy in units of its bound: above 1 CAROM_EVENT_ENERGY_GROWTH
    double guard_unexplained;           // largest part of the energy that was unexplained at an audit of the ledger
    char rotated[2 * CAROM_NAME_MAX];   // the element that CAROM_EVENT_LARGE_ROTATION counted; empty: none
    double rotated_at;                  // the time of that event
    double energy_scale;                // max of kinetic + internal, |external|, the losses without plasticity, viscosity and
                                        // projection, and the energy that loads add in a step to nodes at rest
    double momentum_scale;              // max of sum (m |v| + t |load|)
    double angular_momentum_scale;      // max of sum |x - c| (m |v| + t |load|), c the initial mass centre
    carom_ledger_row first, last;       // the ledger at the start and at the end
    double external_impulse[3];         // momentum that came from outside: loads, restraints, planes
    double external_angular_impulse[3]; // the same of angular momentum, about the origin
    bool is_static;                     // a static analysis, which has forces instead of momenta:
    double forces[4][3];   // loads and their moment about the origin, reactions of restraints and theirs, at the end
    double stability_lost; // the load factor up to which all equilibria were stable; NaN if they all were
    double force_window;   // length of the windows over which contact forces are averaged, for the peaks of pairs
    int pair_count;
    carom_pair_record *pairs; // owned; free with carom_summary_release
    int peak_count;
    carom_peak *peaks; // the largest stresses and strains of each body, body after body; owned as well
    int filtered_count;
    carom_filtered_peak *filtered; // of probes with a filter, on the process that writes; owned as well
} carom_summary;

// Frees pairs and peaks. A summary that was never filled ({0}) is permitted.
CAROM_API void carom_summary_release(carom_summary *summary);

// The most extreme peak of that kind of a body, or of all bodies if `body` is NULL; NULL if there is none.
CAROM_API const carom_peak *carom_summary_peak(const carom_summary *summary, const char *body, carom_peak_kind kind);

// Macroscopic restitution of a pair: separation speed of the mass centres after the last contact over approach speed before the
// first. NaN until the bodies have parted: while they touch, or if their last contact was within a force window of the end.
// NaN also if their mass centres never approached, do not part along the normal of the first contact, or if one of the bodies
// touched a third one meanwhile.
CAROM_API double carom_summary_restitution(const carom_sim *sim, const carom_pair_record *pair);

// The origin of a reference value of a gate.
typedef enum carom_reference {
    CAROM_REFERENCE_NONE,      // nothing: the gate is a bound
    CAROM_REFERENCE_EXACT,     // a closed form
    CAROM_REFERENCE_PUBLISHED, // the value of a publication
    CAROM_REFERENCE_LAW,       // 0, by a balance or conservation law or impenetrability
} carom_reference;

// The result of one gate of the `expect:` block.
typedef struct carom_verdict {
    char name[CAROM_NAME_MAX];      // energy_error
    char condition[CAROM_NAME_MAX]; // "< 0.01"
    double value;                   // the result of the run
    bool passed;                    // NaN never passes
    carom_reference reference;      // the kind of `exact`
    double exact;                   // the exact or published value; NaN: none
    char source[CAROM_TEXT_MAX];    // where it comes from, or the reason for a bound; may be empty
} carom_verdict;

// Writes DIR/summary.json (atomically), with verdicts if there are any. carom_run has already done so without verdicts.
CAROM_API carom_status carom_summary_write(const carom_sim *sim, const carom_run_def *def, const carom_summary *summary,
                                           const carom_verdict *verdicts, int verdict_count, carom_error *error);

// The ledger as a table of at most 100 columns: energies, momenta, contacts of each pair. Free with carom_free; NULL if memory
// is short.
CAROM_API char *carom_summary_text(const carom_sim *sim, const carom_summary *summary);

// The same for a summary that was read back from a file, without the simulation: with the names of each pair.
typedef struct carom_pair_label {
    char name[2][CAROM_NAME_MAX]; // of the bodies, or of the plane
    double restitution;           // macroscopic; NaN if there is none
} carom_pair_label;

// One label per pair of the summary.
CAROM_API char *carom_ledger_table(const carom_summary *summary, const carom_pair_label *labels);

// The profile as a table: seconds of each phase, their share, seconds of processors, and the part of the time in which the
// threads had work. Free with carom_free; NULL without a profile.
CAROM_API char *carom_profile_table(const carom_summary *summary);

// The names in summary.json of carom_summary.conserved ("px", "py", "pz", "lx", "ly", "lz") and of carom_summary.forces
// ("loads", "load_moment", "reactions", "reaction_moment").
CAROM_API const char *carom_momentum_name(int momentum);
CAROM_API const char *carom_resultant_name(int resultant);

// Runs to the end. Returns CAROM_OK; CAROM_INTERRUPTED or CAROM_NUMERICAL, in both cases after writing a checkpoint; CAROM_IO;
// CAROM_NO_MEMORY; or CAROM_BAD_INPUT if the run cannot begin: another run holds the lock of the directory, files in it are not
// carom's, or the checkpoint does not fit. `summary` is filled in every case in which the run began.
CAROM_API carom_status carom_run(carom_sim *sim, const carom_run_def *def, carom_summary *summary, carom_error *error);

// Whether a run that failed should start again from time 0, as a new simulation with the times of the next attempt: the step is
// automatic, `time.retries` permits another attempt, events end the run, and a shorter step may prevent what has ended it: a
// ledger that does not balance, an unstable motion, a contact that was missed, or an element that is inside out although steps
// are not divided.
CAROM_API bool carom_sim_retries(const carom_sim *sim, int attempt, const carom_summary *summary, const carom_error *error);
// The attempt that takes steps of that length (carom_saved_step), which a run that is resumed continues; 0 if none does.
CAROM_API int carom_attempt_with_step(double step, const carom_time_def *time, const carom_model *model, carom_pick integrator);

#ifdef __cplusplus
}
#endif
#endif
