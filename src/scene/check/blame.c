// SPDX-License-Identifier: MIT
// Finds the entry of a scene that makes the model invalid. Errors of the model do not refer to the file, so its definition is
// bisected: the model is built again from the first n entries of a list, and for the smallest n with which it is refused,
// entry n is at fault.
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "model/build/joints.h"
#include "scene/scene.h"

// Parts of a definition, in the order in which they are added: planes, restraints and loads require bodies. Ties and the parts
// after them are checked separately, by blame_ties.
typedef enum part { BODIES, PLANES, RESTRAINTS, LOADS, PARTS, TIES, CONNECTIONS, JOINTS, SPRINGS } part;

static int *count_of(carom_model_def *def, part p) {
    switch (p) {
    case BODIES: return &def->body_count;
    case PLANES: return &def->contact.plane_count;
    case RESTRAINTS: return &def->restraint_count;
    case TIES: return &def->tie_count;
    case CONNECTIONS: return &def->connection_count;
    case JOINTS: return &def->joint_count;
    case SPRINGS: return &def->spring_count;
    default: return &def->load_count;
    }
}

// True if a body, a group of bodies or a plane of that name is in the (reduced) definition.
static bool is_side(const carom_model_def *def, const char *name) {
    for (int b = 0; b < def->body_count; b++)
        if (strcmp(def->bodies[b].name, name) == 0 || strcmp(def->bodies[b].group, name) == 0)
            return true;
    for (int p = 0; p < def->contact.plane_count; p++)
        if (strcmp(def->contact.planes[p].name, name) == 0)
            return true;
    return false;
}

// Leaves out the contact pairs that name a body or plane which the (reduced) definition does not have.
static void omit_pairs(carom_model_def *def, carom_contact_pair_def *pairs) {
    int count = 0;
    for (int i = 0; i < def->contact.pair_count; i++)
        if (is_side(def, def->contact.pairs[i].side[0]) && is_side(def, def->contact.pairs[i].side[1]))
            pairs[count++] = def->contact.pairs[i];
    def->contact.pair_count = count;
    def->contact.pairs = pairs;
}

// The same for ties, connections and joints.
static void omit_ties(carom_model_def *def, carom_tie_def *ties, carom_connection_def *connections, carom_joint_def *joints) {
    int tied = 0, connected = 0, joined = 0;
    for (int i = 0; i < def->joint_count; i++)
        if (is_side(def, def->joints[i].body) && (strcmp(def->joints[i].to, "ground") == 0 || is_side(def, def->joints[i].to)))
            joints[joined++] = def->joints[i];
    def->joint_count = joined;
    def->joints = joints;
    for (int i = 0; i < def->tie_count; i++)
        if (is_side(def, def->ties[i].from.body) && is_side(def, def->ties[i].to.body))
            ties[tied++] = def->ties[i];
    for (int i = 0; i < def->connection_count; i++)
        if (is_side(def, def->connections[i].from.body) && is_side(def, def->connections[i].to.body))
            connections[connected++] = def->connections[i];
    def->tie_count = tied;
    def->ties = ties;
    def->connection_count = connected;
    def->connections = connections;
}

// True if the model refuses the definition. Entries that name a removed body or plane are left out: they would be refused for
// that reason alone. `fewer`: bodies were removed; otherwise ties that name unknown ones are at fault.
static bool refused(const carom_model_def *whole, bool fewer, carom_error *error) {
    carom_model_def def = *whole;
    carom_contact_pair_def *pairs = carom_allocate(def.contact.pair_count, sizeof *pairs);
    carom_tie_def *ties = carom_allocate(def.tie_count, sizeof *ties);
    carom_connection_def *connections = carom_allocate(def.connection_count, sizeof *connections);
    carom_joint_def *joints = carom_allocate(def.joint_count, sizeof *joints);
    carom_status status = CAROM_NO_MEMORY;
    // without memory nothing can be concluded
    if (pairs && ties && connections && joints) {
        omit_pairs(&def, pairs);
        // springs may name removed bodies; blame_ties checks them separately
        if (fewer)
            def.spring_count = 0;
        if (fewer)
            omit_ties(&def, ties, connections, joints);
        carom_model *model = NULL;
        status = carom_model_create(&def, &model, error);
        carom_model_release(model);
    }
    free(pairs);
    free(ties);
    free(connections);
    free(joints);
    return status == CAROM_BAD_INPUT;
}

// The smallest number of entries of that part with which `def` is refused, by bisection. Invariant: `good`
// entries are accepted, `bad` are refused. A model needs at least one body, so 0 bodies count as accepted
// without a trial.
static int first_refused(carom_model_def def, part p, carom_error *error) {
    int *count = count_of(&def, p);
    int good = p == BODIES ? 0 : -1, bad = *count;
    while (bad - good > 1) {
        *count = good + (bad - good) / 2;
        if (*count && refused(&def, p == BODIES, error))
            bad = *count;
        else
            good = *count;
    }
    // leaves in `error` the message of the smallest refused definition
    *count = bad;
    refused(&def, p == BODIES, error);
    return bad;
}

// The placement that a message suggests depends on the planes, but `less` has none. Builds its first `bodies` again with the
// planes, and replaces the message if the fault is the same.
static void report_with_planes(carom_model_def less, const carom_model_def *whole, int bodies, carom_error *error) {
    // letters at the start of a message that identify the fault, before names and numbers
    enum { BEGINNING = 24 };
    carom_error other = {0};
    less.body_count = bodies;
    less.contact.plane_count = whole->contact.plane_count;
    if (refused(&less, true, &other) && strncmp(other.message, error->message, BEGINNING) == 0)
        *error = other;
}

// A message on one of several joints begins with the number of the joint. Returns the rest of the message; *joint is the number
// if there is one, and unchanged otherwise.
static const char *skip_number(const char *message, int *joint) {
    int found = 0, length = 0;
    if (sscanf(message, CAROM_JOINT_MARK "%n", &found, &length) != 1 || length == 0)
        return message;
    *joint = found;
    return message + length;
}

// Reports a tie, a connection, a joint or a spring if it is at fault. They are tried without contact: bodies that are not yet
// tied may overlap.
static bool blame_ties(const carom_model_def *def, const carom_tree *root, carom_report *report) {
    static const struct {
        part p;
        const char *name;
    } lists[] = {{TIES, "tied"}, {CONNECTIONS, "connections"}, {JOINTS, "joints"}, {SPRINGS, "springs"}};
    carom_error error = {0};
    carom_model_def less = *def;
    less.contact.enabled = false;
    less.tie_count = less.connection_count = less.joint_count = less.spring_count = 0;
    if ((!def->tie_count && !def->connection_count && !def->joint_count && !def->spring_count) || refused(&less, false, &error))
        return false;
    for (int i = 0; i < 4; i++) {
        carom_model_def whole = *def;
        *count_of(&less, lists[i].p) = *count_of(&whole, lists[i].p);
        if (!*count_of(&less, lists[i].p) || !refused(&less, false, &error))
            continue;
        int entry = -1;
        const char *message = skip_number(error.message, &entry);
        // joints depend on each other: fewer of them may be refused for another reason
        if (entry < 0) {
            entry = first_refused(less, lists[i].p, &error) - 1;
            message = skip_number(error.message, &entry);
        }
        const carom_tree *tree = carom_tree_at(carom_tree_get(root, lists[i].name), entry);
        char path[64];
        snprintf(path, sizeof path, "%s[%d]", lists[i].name, entry);
        carom_report_add(report, tree ? tree->place : root->place, path, "%s", message);
        return true;
    }
    return false;
}

void carom_scene_blame(const carom_model_def *def, const int *entry_of, const carom_tree *root, carom_report *report) {
    static const char *const names[PARTS] = {"bodies", "planes", "restraints", "loads"};
    carom_error error = {0};
    carom_model_def less = *def;

    // gravity is a single entry: it is at fault if the scene is accepted without it
    memset(less.gravity, 0, sizeof less.gravity);
    if (memcmp(less.gravity, def->gravity, sizeof less.gravity) != 0 && !refused(&less, false, &error)) {
        refused(def, false, &error);
        carom_report_add(report, carom_scene_place(root, "gravity"), "gravity", "%s", error.message);
        return;
    }
    if (blame_ties(def, root, report))
        return;
    for (part p = PLANES; p < PARTS; p++)
        *count_of(&less, p) = 0;

    // add part after part until the model is refused
    part refused_part = BODIES;
    while (refused_part < LOADS && !refused(&less, refused_part == BODIES, &error)) {
        refused_part++;
        carom_model_def whole = *def;
        *count_of(&less, refused_part) = *count_of(&whole, refused_part);
    }
    int entry = first_refused(less, refused_part, &error) - 1, joint;
    // an array of bodies is one entry of the file
    if (refused_part == BODIES) {
        report_with_planes(less, def, entry + 1, &error);
        entry = entry_of[entry];
    }

    const carom_tree *section = refused_part == PLANES ? carom_tree_get(root, "contact") : root;
    const carom_tree *tree = carom_tree_at(carom_tree_get(section, names[refused_part]), entry);
    char path[64];
    snprintf(path, sizeof path, "%s%s[%d]", refused_part == PLANES ? "contact." : "", names[refused_part], entry);
    carom_report_add(report, tree ? tree->place : root->place, path, "%s", skip_number(error.message, &joint));
}
