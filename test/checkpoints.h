// SPDX-License-Identifier: MIT
// Small scenes, one or more for each method, whose checkpoints hold every array that a method registers.
#ifndef CAROM_TEST_CHECKPOINTS_H
#define CAROM_TEST_CHECKPOINTS_H

#define BLOCK(body, low, high, rest) \
    "  - name: " body "\n    mesh: {box: {from: [0, 0, " low "], to: [1, 1, " high "], elements: [1, 1, 2]}}\n" rest
#define METAL                                               \
    "    element: {hex8: {integration: mean-dilatation}}\n" \
    "    material: {j2: {young: 100, poisson: 0.3, density: 1, yield: 0.3, modulus: 5}}\n"
#define SOLID "    element: {hex8: {}}\n    material: {neo-hookean: {young: 10, poisson: 0.3, density: 1}}\n"
#define RIGID "    element: {rigid: {density: 1}}\n"
#define FALLS "    velocity: [0.1, 0, -1]\n"
#define ROD(body, place, speed)                                                                                           \
    "  - name: " body "\n    mesh: {line: {from: [" place ", 0, 0], to: [" place "5, 0, 0], elements: 3}}\n"              \
    "    element: {bar: {area: 1, strain: small}}\n    material: {linear: {young: 1, density: 1}}\n    velocity: [" speed \
    ", 0, 0]\n"
#define FLOOR "planes: [{name: floor, point: [0, 0, -0.005], normal: [0, 0, 1]}]}\n"
#define PUSHED "loads:\n  - {body: high, set: zmax, pressure: 0.1}\n"

static const struct checkpoint_scene {
    const char *name, *text;
} checkpoint_scenes[] = {
    {"divided", "integrator: newmark-dcr\ntime: {end: 2, step: auto}\nbodies:\n" BLOCK("low", "0", "1", METAL FALLS)
                    BLOCK("high", "1.01", "2", METAL FALLS) PUSHED "contact: {restitution: 0.9, friction: 0.2, " FLOOR},
    {"tied", "integrator: newmark-dcr\ntime: {end: 2, step: 0.01}\nbodies:\n" BLOCK("low", "0", "1", SOLID FALLS)
                 BLOCK("high", "1", "2", SOLID FALLS) "tied:\n  - {from: {body: high, set: zmin}, to: {body: low, set: zmax}}\n"
                                                      "contact: {restitution: 1, " FLOOR},
    {"ticks", "integrator: asynchronous\ntime: {end: 2, step: auto}\nbodies:\n" BLOCK("low", "0", "1", METAL FALLS)
                  BLOCK("high", "1.01", "2", RIGID FALLS) "contact: {restitution: 0.9, friction: 0.2, " FLOOR},
    {"polls", "integrator: {asynchronous: {contact: adaptive}}\ntime: {end: 2, step: 0.02}\nbodies:\n" BLOCK("low", "0", "1",
                                                                                                             SOLID FALLS)
                  BLOCK("high", "1.01", "2", SOLID FALLS) PUSHED "contact: {restitution: 0.9, " FLOOR},
    {"slabs", "integrator: {multisymplectic: {contact-integrator: 2}}\ntime: {end: 2, step: 0.001}\nbodies:\n" ROD(
                  "left", "0.", "1") ROD("right", "0.51", "0") "contact: {restitution: 1}\n"},
    {"halved", "integrator: energy-momentum\ntime: {end: 2, step: 0.02}\nbodies:\n" BLOCK("low", "0", "1", SOLID FALLS)
                   BLOCK("high", "1.01", "2", SOLID FALLS) "contact: {restitution: 1, friction: 0.2, " FLOOR},
    {"nonsmooth", "integrator: nonsmooth-newmark\ntime: {end: 2, step: 0.02}\nbodies:\n" BLOCK("low", "0", "1", SOLID FALLS)
                      BLOCK("high", "1.01", "2", SOLID FALLS) "contact: {restitution: 1, friction: 0.2, " FLOOR},
    {"static", "analysis: {static: {steps: 50}}\nbodies:\n" BLOCK("high", "0", "1", METAL) PUSHED
     "restraints:\n  - {body: high, set: zmin, fix: xyz}\ncontact: false\n"},
};
enum { CHECKPOINT_SCENES = sizeof checkpoint_scenes / sizeof *checkpoint_scenes };

#undef BLOCK
#undef METAL
#undef SOLID
#undef RIGID
#undef FALLS
#undef ROD
#undef FLOOR
#undef PUSHED

#endif
