// SPDX-License-Identifier: MIT
// The terms of other programs with those of carom for the same, as tables. `carom info` answers from them and `carom manual
// words` writes a page. Cells are Markdown.
#include "app/foreign_words.h"

static const char *const energies[][CAROM_FOREIGN_COLUMNS] = {
    {"kinetic energy", "ALLKE", "glstat: kinetic energy", "ELKE", "`kinetic`"},
    {"stored energy", "ALLSE", "in: internal energy", "ELSE", "`internal`, which holds what is stored and nothing else"},
    {"internal energy", "ALLIE", "glstat: internal energy", "", "the sum of `internal`, `plasticity` and `viscosity`"},
    {"plastic work", "ALLPD", "in: internal energy", "", "`plasticity`"},
    {"viscous losses of materials", "ALLCD", "in: internal energy", "", "`viscosity`"},
    {"friction", "ALLFD", "in: sliding interface energy", "", "`friction`"},
    {"contact energy of penalties", "ALLPW", "in: sliding interface energy", "CELS",
     "none; `projection` is what handling contact cost, in any method"},
    {"damping", "ALLVD", "glstat: system damping energy", "", "`damping`; there is no bulk viscosity"},
    {"hourglass energy", "ALLAE", "glstat: hourglass energy", "",
     "not separate: that of `hex8` with `one-point`, and the stabilisation of `nodal`, are in `internal`"},
    {"work of loads", "ALLWK", "glstat: external work", "", "`external` with the sign reversed"},
    {"what must stay constant", "ETOTAL", "glstat: total energy", "", "`total` and all losses; its change is `residual`"},
    {"all energies and losses over initial energy and work", "", "glstat: energy ratio", "", "`energy_ratio`"},
    {"energy error of Radioss, in %", "", "", "",
     "100 (`energy_ratio` − 1), except that Radioss leaves out contact and hourglass energy: they are part of its "
     "error; the residual over the energy scale is `energy_error`"},
    {"lost by mass scaling, erosion", "", "eroded energies", "", "none: masses are not scaled, elements are not removed"},
};

static const char *const files[][CAROM_FOREIGN_COLUMNS] = {
    {"history output, `.dat`", "glstat", "T01", "`history.csv`"},
    {"by element set", "matsum", "/TH/PART", "columns of each body, with `output.history.bodies: true`"},
    {"CFN, CFT, CFNM", "rcforc", "/TH/INTER",
     "`pairs.csv`; peaks: [`peak_force`](result_files.md#peak-force-duration-restitution)"},
    {"contact with a rigid surface", "rwforc", "/TH/RWALL",
     "`pairs.csv`: a plane or an [obstacle](obstacles.md#the-load-cell) is one of the two"},
    {"RF", "spcforc, bndout", "REACX, ...",
     "`static`: field `reaction`, `forces.reactions` of the [summary](summary.md#summaryjson). In motion: the load "
     "cell of an obstacle that holds or drives the body; the sum over all restraints, loads and planes is "
     "`external_impulse`"},
    {"node output, `*NODE PRINT`", "nodout", "/TH/NODE", "`probes.csv`, with CFC filters in `probes_filtered.csv`"},
    {"field output, `.odb`, `.frd`", "d3plot", "A001, `.h3d`", "`fields.pvd`, for ParaView and `carom view`"},
    {"`.sta`, `.msg`", "d3hsp, messag", "0001.out", "the closing table, `summary.json`"},
    {"restart file", "d3dump", "0001.rst", "`checkpoint.carom`, for `--resume`"},
};

static const char *const fields[][CAROM_FOREIGN_COLUMNS] = {
    {"U, V", "displacement, velocity", "`displacement`, `velocity`"},
    {"A", "acceleration", "a probe with `record: [acceleration]`"},
    {"S, Mises", "stress, effective stress", "`stress`, `von_mises`; at nodes `von_mises_nodes`"},
    {"maximum over time", "", "`max_von_mises`, from every step, not from the frames alone"},
    {"LE, E", "strain", "`principal_strain`, of Green's strain"},
    {"PEEQ", "effective plastic strain", "`plastic_strain`"},
    {"TEMP (adiabatic)", "", "`temperature`"},
    {"STH", "shell thickness", "`thickness`"},
    {"SF, SM", "resultants", "`membrane_force`, `bending_moment`"},
    {"CPRESS, CSHEAR", "intfor: pressure",
     "none per area; `contact_force` is the vector at each node, over the time since the previous frame"},
    {"CSTATUS, COPEN", "", "`contact_state`; `gap` of each impulse in [contacts.csv](result_files.md#contactscsv)"},
    {"STATUS", "deleted elements", "none"},
};

static const char *const settings[][CAROM_FOREIGN_COLUMNS] = {
    {"`*CONTACT`, ALL EXTERIOR",
     "\\*CONTACT_AUTOMATIC_GENERAL, \\*CONTACT_AUTOMATIC_SINGLE_SURFACE, \\*CONTACT_AUTOMATIC_SURFACE_TO_SURFACE",
     "/INTER/TYPE7, TYPE24, TYPE25",
     "nothing to set: all [surfaces touch](contact.md#what-touches-what), themselves included; exceptions in "
     "`contact.pairs`"},
    {"penalty stiffness, hard contact", "SOFT, SFS, SFM, DEPTH", "Stfac, Igap",
     "none, except `penalty` of [`energy-momentum`](implicit_contact.md) and of "
     "[`nonsmooth-newmark`](nonsmooth_contact.md) with `contact: penalty`"},
    {"initial overclosure, ADJUST", "IGNORE", "Inacti",
     "refused [at the start](contact.md#at-the-start), with the distance that separates the bodies"},
    {"shell offset, thickness in contact", "SST, MST", "Gap_min", "`contact.thickness`"},
    {"`*FRICTION`", "FS, FD, DC", "Fric", "`contact.friction`: a number, or `static`, `kinetic`, `decay`"},
    {"none", "none", "none", "`contact.restitution`, [what it is](rebound.md)"},
    {"`*TIE`", "\\*CONTACT_TIED_...", "/INTER/TYPE2", "[`tied`](tied.md), `connections`"},
    {"analytical rigid surface", "\\*RIGIDWALL_...", "/RWALL", "`contact.planes`, [obstacles](obstacles.md)"},
    {"`*RIGID BODY`", "\\*MAT_RIGID", "/RBODY", "element `rigid` ([rigid bodies](rigid.md))"},
    {"connector elements", "\\*CONSTRAINED_JOINT_...", "/PROP/KJOINT", "[`joints`, `springs`](joints.md)"},
    {"`*DYNAMIC, EXPLICIT`", "default", "default", "`newmark-dcr`; [which?](which_integrator.md)"},
    {"`*DYNAMIC`, `*STATIC`", "\\*CONTROL_IMPLICIT_...", "/IMPL",
     "`energy-momentum`, `nonsmooth-newmark`; [`analysis: static`](static.md)"},
    {"", "ENDENG", "/STOP (Emax)", "`time.energy_error`, a limit of the unexplained energy ([limits](stops.md#limits))"},
    {"stable time increment, scale factor", "TSSFAC", "/DT, scale factor", "`time.safety`"},
    {"`*FIXED MASS SCALING`", "DT2MS", "/DT/NODA/CST", "none; `asynchronous` gives each element a step of its own"},
    {"C3D8R, C3D8, C3D8 with selective integration", "ELFORM (1, 2, -1)", "Isolid",
     "`hex8` with `integration: one-point`, `full`, `mean-dilatation`"},
    {"hourglass control", "\\*HOURGLASS", "Ihq", "`hourglass` of `hex8`, `stabilisation` of `nodal`"},
    {"`*PLASTIC`, Johnson-Cook", "\\*MAT_024, \\*MAT_015", "/MAT/LAW36, LAW2", "[`j2`](metals_and_rubber.md)"},
    {"`*AMPLITUDE`", "\\*DEFINE_CURVE", "/FUNCT", "`history`, next to the load or velocity that it scales"},
    {"`*DAMPING`", "\\*DAMPING_...", "/DAMP", "[`damping`](loads.md) of a body"},
    {"failure, damage, element deletion", "\\*MAT_ADD_EROSION, \\*CONTACT_ERODING_...", "/FAIL",
     "none: [limits](limits.md#limits-of-this-version)"},
};

static const char *const simulators[][CAROM_FOREIGN_COLUMNS] = {
    {"`timestep`", "time step, substeps", "`time.step`; impacts have times of their own inside a step"},
    {"`solref`, `solimp`", "ERP, CFM", "none: contact has no compliance"},
    {"`friction` (sliding)", "friction", "`contact.friction`; there is no rolling or spinning friction"},
    {"", "restitution", "`contact.restitution`"},
    {"`margin`, `gap`", "collision margin", "`contact.layer`, `contact.thickness`"},
    {"`contype`, `conaffinity`, `exclude`", "collision filter", "`contact.pairs` with `touch: false`, `contact.self`"},
    {"mesh geom (convex hull)", "convex or compound shape", "the mesh itself, convex or not"},
    {"continuous collision detection (none)", "swept sphere",
     "each impact at its time inside the step; by default, and for all surfaces"},
    {"`plane` (geom); static body", "static plane, static body", "`contact.planes`; an obstacle"},
    {"`mocap` (body)", "kinematic body", "a driven obstacle"},
    {"`hinge` (joint), `slide`, `ball`", "hinge, slider, point-to-point constraint",
     "joints `hinge`, `slider`, `ball`, and others"},
    {"`velocity` (actuator)", "motor", "`speed` of a joint"},
    {"`qpos`, `qvel`", "world transform, velocities",
     "`sim.x`, `sim.v`, `sim.rigid_motion(body)` in [Python](python.md#simulations)"},
    {"`mjData.contact`, `mj_contactForce`", "contact manifolds", "`sim.on_contact`, `contacts.csv`, `pairs.csv`"},
    {"`mj_energyPos`, `mj_energyVel`", "", "`sim.ledger`"},
    {"`mj_step`", "`stepSimulation`", "`sim.step()`"},
};

#define COUNT(rows) (int)(sizeof(rows) / sizeof *(rows))

static const carom_foreign_table tables[] = {
    {"# Your word, our word\n"
     "\n"
     "<!-- Generated from the table of words by `carom manual words`; do not edit. -->\n"
     "\n"
     "What carom calls the results and settings that you know from another program, and what it has not. `carom info WORD`\n"
     "prints the row of a word, such as `carom info ALLKE` or `carom info \"energy ratio\"`. Decks of Abaqus and CalculiX\n"
     "need not be translated by hand: [import](import.md) lists the keywords that `carom import` takes over.\n"
     "\n"
     "`carom info METHOD` names what a method lacks; spellings of earlier versions of carom, such as `energy_drift`, are\n"
     "listed in the [changelog](../../CHANGELOG.md#old-spellings).\n"
     "\n"
     "Note for frames: their points are the *deformed* positions. In ParaView, *Warp By Vector* with `displacement` would\n"
     "therefore double the motion.\n"
     "\n"
     "## Energies\n"
     "\n"
     "The columns are those of [history.csv](result_files.md#historycsv) and of the [closing table](closing_table.md).\n"
     "\n",
     {"what", "Abaqus", "LS-DYNA", "CalculiX", "carom"},
     "a column of history.csv and a line of the closing table",
     energies,
     COUNT(energies)},
    {"Where other programs end a run by a limit on the energy ratio, carom limits the unexplained energy, relative to the\n"
     "energy scale: `time.energy_error` ends a run ([limits](stops.md#limits)); a [gate](scene.md#expect) such as\n"
     "`expect: {energy_error: \"< 0.01\"}` is judged when the run is complete.\n"
     "\n"
     "## Files and fields\n"
     "\n",
     {"Abaqus, CalculiX", "LS-DYNA", "Radioss", "carom"},
     "a file of the results, or a column of it",
     files,
     COUNT(files)},
    {"",
     {"Abaqus, CalculiX", "LS-DYNA", "carom, in the [frames](result_files.md#the-animation)"},
     "a field of the frames (fields.pvd, carom view), or a column of a table",
     fields,
     COUNT(fields)},
    {"## Settings\n"
     "\n",
     {"Abaqus, CalculiX", "LS-DYNA", "Radioss", "carom"},
     "a key of the scene (carom info SECTION, carom manual scene)",
     settings,
     COUNT(settings)},
    {"## From simulators of rigid bodies\n"
     "\n",
     {"MuJoCo", "Bullet", "carom"},
     "a key of the scene, or a member of a simulation in Python",
     simulators,
     COUNT(simulators)},
};

const carom_foreign_table *carom_foreign_tables(int *count) {
    *count = COUNT(tables);
    return tables;
}
