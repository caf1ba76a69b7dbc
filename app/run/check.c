// SPDX-License-Identifier: MIT
// carom check: reads scenes, reports every error, runs nothing.
#include <stdio.h>

#include "app/commands.h"
#include "app/message.h"
#include "app/run/facts.h"
#include "app/run/tied.h"
#include "carom/scene.h"
#include "carom/sim.h"

// Prints the number of faces (segments of plane scenes) that can touch, because bodies without surfaces are a common mistake,
// and whether steps may be divided, because the time of a run then does not follow from the number of steps.
static void print_good(const char *path, const carom_scene *scene) {
    const carom_model *model = carom_scene_model(scene);
    const carom_kind *method = carom_scene_integrator(scene).kind;
    bool moves = carom_catalogue_find(carom_analyses(), method->name) != method;
    int faces = moves ? carom_model_face_count(model) : 0;
    bool divides = moves && carom_time_divides(carom_scene_time(scene), model, method);
    printf("%s: ok", path);
    if (faces)
        printf(" (%d %s can touch", faces,
               carom_model_contact_extent(model).corners == 2 ? carom_plural(faces, "segment", "segments")
                                                              : carom_plural(faces, "face", "faces"));
    if (divides)
        fputs(faces ? ", steps may be divided" : " (steps may be divided", stdout);
    puts(faces || divides ? ")" : "");
}

int carom_command_check(const carom_arguments *arguments) {
    const char *overrides[CAROM_VALUES_MAX];
    int override_count = carom_arguments_values(arguments, "set", overrides);
    // All scenes are checked, also after a wrong one; the exit code is that of the last wrong one.
    int code = CAROM_EXIT_DONE;
    for (int i = 0; i < arguments->operand_count; i++) {
        const char *path = arguments->operands[i];
        carom_scene *scene = NULL;
        carom_findings findings = {0};
        carom_error error = {0};
        carom_status status = carom_scene_load(path, overrides, override_count, &scene, &findings, &error);
        int own = carom_say_read(&findings, status, &error);
        code = status ? own : code;
        if (!status) {
            print_good(path, scene);
            carom_tied_print(carom_scene_model(scene));
            carom_facts_print(scene);
        }
        carom_scene_release(scene);
    }
    return code;
}
