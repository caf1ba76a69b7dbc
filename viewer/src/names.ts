// SPDX-License-Identifier: MIT
// Readable names of fields. In the files they are von_mises_nodes or stress_nodes, xx; fields without an entry here keep their
// name.

import { dimensions, type Dimension } from './units.ts';

export interface Naming {
    text: string;
    dimension: Dimension;
    // A measure of stress that is never negative, whose largest value is of interest.
    stress: boolean;
}

const known: Record<string, [string, Dimension]> = {
    speed: ['speed', dimensions.velocity],
    velocity: ['velocity', dimensions.velocity],
    displacement: ['displacement', dimensions.length],
    impulse: ['impulse of contact', dimensions.momentum],
    contact_force: ['contact force', dimensions.force],
    reaction: ['reaction', dimensions.force],
    axial_strain: ['axial strain', dimensions.none],
    axial_stress: ['axial stress', dimensions.stress],
    von_mises: ['von Mises stress', dimensions.stress],
    max_von_mises: ['von Mises stress, largest so far', dimensions.stress],
    max_principal: ['principal stress, largest so far', dimensions.stress],
    stress: ['stress', dimensions.stress],
    principal_stress: ['principal stress', dimensions.stress],
    principal_strain: ['principal strain', dimensions.none],
    thickness: ['thickness', dimensions.length],
    membrane_energy: ['membrane energy per area', dimensions.perArea],
    bending_energy: ['bending energy per area', dimensions.perArea],
    membrane_force: ['membrane force', dimensions.membrane],
    bending_moment: ['bending moment', dimensions.force],
    principal_curvature: ['principal curvature', dimensions.perLength],
    curvature: ['curvature', dimensions.perLength],
    moment: ['moment', dimensions.energy],
    force: ['force', dimensions.force],
    plastic_strain: ['plastic strain', dimensions.none],
};

// Splits a label such as "stress_nodes, xx" into the array and the component that is shown.
export function naming(label: string): Naming {
    const [array, part] = label.split(', ');
    const base = array.replace(/_nodes$/, '');
    const found = Object.hasOwn(known, base) ? known[base] : undefined;
    const text = found ? found[0] : label === array ? array : base;
    const stress = base === 'von_mises' || (part === 'mises' && base === 'stress');
    if (stress) return { text: 'von Mises stress', dimension: dimensions.stress, stress };
    const short = part === 'mises' ? 'von Mises' : part;
    return {
        text: part ? (/^(largest|smallest)$/.test(part) ? `${part} ${text}` : `${text} ${short}`) : text,
        dimension: found?.[1] ?? dimensions.none,
        stress,
    };
}
