// SPDX-License-Identifier: MIT
// Live data: a program receives impacts by callback, applies a force of its own, and changes the motion while it runs.
//
// A ball of mass m = 2 falls from h = 1 onto a floor that returns half of its speed. Whenever it has hit the floor, the program
// gives it back the speed v = sqrt(2 g h) with which it came, so it bounces to its full height forever. Meanwhile a spring
// that the program computes pulls it sideways to the middle. In closed form the impacts come at the times
//
//     t_n = (2 n + 1) v/g,  n = 0, 1, 2, ...  each with the impulse m (1 + e) v and the loss m v^2 (1 - e^2)/2
//
// and the ball swings by x = (u/w) sin(w t), w = sqrt(k/m). The ledger records what the program does as coming from outside:
// the energy that it returns makes up for the losses, and nothing remains unexplained.
//
// Build it with an installed carom:   cc 06_live.c $(pkg-config --cflags --libs carom) -lm -o live
#include <math.h>
#include <stdio.h>
#include <string.h>

#include <carom/carom.h>

static const double m = 2, g = 10, h = 1, e = 0.5, k = 8, u = 0.3;

// What the last impact reported.
typedef struct listener {
    int count;
    carom_hit_report last;
} listener;

// Called for each impact after the step to which it belongs. It may read the simulation, but not change it.
static void on_impact(void *context, const carom_sim *sim, const carom_hit_report *hit) {
    (void)sim;
    listener *l = context;
    l->count++;
    l->last = *hit;
}

// A force on one node at a time and at given positions. Integrators may call it several times per step, so it must depend on
// nothing else.
static void spring(void *context, double time, int node, const double (*x)[3], double force[3]) {
    (void)context, (void)time;
    force[0] = -k * x[node][0];
}

static int report(const carom_error *error) {
    fprintf(stderr, "live: %s\n", error->message);
    return 1;
}

// The ball above the floor, with the spring as a load.
static carom_status build(carom_mesh *mesh, carom_model **model, carom_error *error) {
    carom_point_params place;
    carom_point_mass_params mass;
    carom_pick point = carom_pick_of(carom_generators(), "point", &place, error);
    place.at[2] = h;
    if (carom_mesh_generate(point, mesh, error))
        return error->status;
    carom_body_def body = carom_default_body_def();
    strcpy(body.name, "ball");
    body.mesh = mesh;
    body.element = carom_pick_of(carom_elements(), "point-mass", &mass, error);
    mass.mass = m;
    body.velocity[0] = u;

    carom_load_def load = carom_default_load_def();
    strcpy(load.where.body, "ball");
    load.function = spring;
    carom_plane_def floor_plane = carom_default_plane_def();
    carom_model_def def = carom_default_model_def();
    def.body_count = def.load_count = def.contact.plane_count = 1;
    def.bodies = &body;
    def.loads = &load;
    def.contact.planes = &floor_plane;
    def.contact.restitution = e;
    def.gravity[2] = -g;
    return carom_model_create(&def, model, error);
}

int main(void) {
    carom_error error;
    carom_mesh mesh;
    carom_model *model;
    if (build(&mesh, &model, &error))
        return report(&error);

    const double v = sqrt(2 * g * h);
    carom_time_def time = carom_default_time_def();
    time.end = 20 * v / g;
    time.step = 1e-3;
    carom_sim *sim;
    if (carom_sim_create(model, carom_pick_of(carom_integrators(), "newmark-dcr", NULL, &error), &time, &sim, &error))
        return report(&error);
    listener heard = {0};
    carom_sim_on_hit(sim, on_impact, &heard);

    int seen = 0;
    double late = 0, impulse = 0, aside = 0;
    const carom_state *state = carom_sim_state(sim);
    while (!carom_sim_done(sim)) {
        if (carom_sim_step(sim, &error))
            return report(&error);
        double now = carom_state_time(state), x[1][3], w[1][3];
        memcpy(x, carom_state_positions(state), sizeof x);
        memcpy(w, carom_state_velocities(state), sizeof w);
        aside = fmax(aside, fabs(x[0][0] - u / sqrt(k / m) * sin(sqrt(k / m) * now)));
        if (heard.count == seen)
            continue;
        late = fmax(late, fabs(heard.last.time - (2 * seen + 1) * v / g));
        impulse = fmax(impulse, fabs(heard.last.normal_impulse - m * (1 + e) * v));
        seen = heard.count;

        // where the ball would be now if it had left the floor with the speed v
        double since = now - heard.last.time;
        x[0][2] = v * since - 0.5 * g * since * since;
        w[0][2] = v - g * since;
        if (carom_sim_set_motion(sim, (const double(*)[3])x, (const double(*)[3])w, &error))
            return report(&error);
    }

    carom_ledger_row row = carom_sim_ledger(sim);
    double lost = seen * 0.5 * m * v * v * (1 - e * e);
    printf("%d impacts, at most %.1e late, impulses off by %.1e, swing by %.1e\n", seen, late, impulse, aside);
    printf("lost %.6f (exact %.6f), unexplained %.1e\n", row.restitution, lost, row.residual);
    // all errors are of second order in the step
    int good = seen == 10 && late < 1e-5 && impulse < 1e-4 && aside < 1e-5 && fabs(row.restitution / lost - 1) < 1e-5 &&
               fabs(row.residual) < 1e-5;
    printf("%s\n", good ? "bounces for ever" : "does NOT bounce as it should");
    carom_sim_release(sim);
    carom_model_release(model);
    carom_mesh_release(&mesh);
    return good ? 0 : 1;
}
