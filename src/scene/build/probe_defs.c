// SPDX-License-Identifier: MIT
// Converts the probes of a scene to those of the output.
#include <string.h>

#include "scene/scene.h"

bool carom_scene_make_probes(carom_scene *scene) {
    int count = scene->def.probes.count;
    const carom_scene_probe *probes = scene->def.probes.items;
    scene->probes = carom_arena_allocate(scene->arena, count, sizeof *scene->probes);
    for (int i = 0; scene->probes && i < count; i++) {
        carom_probe_def *probe = &scene->probes[i];
        memcpy(probe->name, probes[i].name, sizeof probe->name);
        probe->where = probes[i].where;
        probe->position = probes[i].record & CAROM_RECORD_POSITION;
        probe->displacement = probes[i].record & CAROM_RECORD_DISPLACEMENT;
        probe->velocity = probes[i].record & CAROM_RECORD_VELOCITY;
        probe->acceleration = probes[i].record & CAROM_RECORD_ACCELERATION;
        probe->force = probes[i].record & CAROM_RECORD_FORCE;
        probe->stress = probes[i].record & CAROM_RECORD_STRESS;
        probe->strain = probes[i].record & CAROM_RECORD_STRAIN;
        probe->rotation = probes[i].record & CAROM_RECORD_ROTATION;
        probe->angular_velocity = probes[i].record & CAROM_RECORD_ANGULAR_VELOCITY;
        probe->momentum = probes[i].record & CAROM_RECORD_MOMENTUM;
        probe->angular_momentum = probes[i].record & CAROM_RECORD_ANGULAR_MOMENTUM;
        probe->filter = probes[i].filter;
        probe->second = carom_scene_second(&scene->def.units, probes[i].second);
    }
    scene->def.output.probes = scene->probes;
    scene->def.output.probe_count = count;
    scene->def.output.fields_name_count = scene->def.field_names.count;
    scene->def.output.fields_names = scene->def.field_names.items;
    scene->def.output.fields_at_count = scene->def.field_times.count;
    scene->def.output.fields_at = scene->def.field_times.items;
    return scene->probes != NULL;
}
