// SPDX-License-Identifier: MIT
// Prints a summary of tied surfaces and connected points of a model, and notes about them.
#include "app/run/tied.h"

#include <stdio.h>

#include "app/message.h"

void carom_tied_print(const carom_model *model) {
    carom_tied tied = carom_model_tied(model);
    const char *separator = "tied: ";
    if (tied.ties) {
        printf("%s%d %s on %d %s", separator, tied.nodes, carom_plural(tied.nodes, "node", "nodes"), tied.ties,
               carom_plural(tied.ties, "surface", "surfaces"));
        if (tied.distance > 0)
            printf(", moved by %.2g at most", tied.distance);
        // surfaces need not cover each other
        if (tied.left)
            printf(", %d %s free", tied.left, carom_plural(tied.left, "node stays", "nodes stay"));
        separator = "; ";
    }
    if (tied.connections)
        printf("%s%d %s of points, at distances of up to %.2g", separator, tied.connections,
               carom_plural(tied.connections, "connection", "connections"), tied.span);
    if (tied.ties || tied.connections)
        putchar('\n');
}

void carom_tied_note(const carom_model *model) {
    carom_tied tied = carom_model_tied(model);
    if (tied.coarse)
        carom_say_note(
            "in %d of %d %s the faces of `from` are larger than those of `to`: the slave faces should be the smaller ones, "
            "exchange the two",
            tied.coarse, tied.ties, carom_plural(tied.ties, "tie", "ties"));
    if (tied.jump > 0)
        carom_say_note(
            "tied bodies start with different velocities, by %.3g at most: they start with the nearest common ones of "
            "the same momentum (`spin` turns each body about its own mass centre)",
            tied.jump);
}
