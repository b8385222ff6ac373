/** The SVG shapes of the drawings, on a canvas of 640 by 640. */
export function path(d: string, fill: string): string {
  return `<path d="${d}" fill="${fill}"/>`;
}

/** An open line with round ends. */
export function line(d: string, color: string, width: number): string {
  return `<path d="${d}" fill="none" stroke="${color}" stroke-width="${width}" stroke-linecap="round" stroke-linejoin="round"/>`;
}

/** A seam: a thin dashed line. */
export function seam(d: string, color: string): string {
  return `<path d="${d}" fill="none" stroke="${color}" stroke-width="3" stroke-dasharray="9 7" stroke-linecap="round"/>`;
}

/** A rectangle with rounded corners. */
export function rect(x: number, y: number, width: number, height: number, radius: number, fill: string): string {
  return `<rect x="${x}" y="${y}" width="${width}" height="${height}" rx="${radius}" fill="${fill}"/>`;
}

export function circle(x: number, y: number, radius: number, fill: string): string {
  return `<circle cx="${x}" cy="${y}" r="${radius}" fill="${fill}"/>`;
}

export function ellipse(x: number, y: number, radiusX: number, radiusY: number, fill: string): string {
  return `<ellipse cx="${x}" cy="${y}" rx="${radiusX}" ry="${radiusY}" fill="${fill}"/>`;
}

/** The outline of a circle. */
export function ring(x: number, y: number, radius: number, color: string, width: number): string {
  return `<circle cx="${x}" cy="${y}" r="${radius}" fill="none" stroke="${color}" stroke-width="${width}"/>`;
}

/** The left half, and its mirror image on the right. */
export function mirrored(half: string): string {
  return `${half}<g transform="translate(640 0) scale(-1 1)">${half}</g>`;
}

export function turned(degrees: number, x: number, y: number, inner: string): string {
  return `<g transform="rotate(${degrees} ${x} ${y})">${inner}</g>`;
}

/** Clips `inner` to `outline`. Each outline of a drawing needs an id of its own. */
export function within(id: string, outline: string, inner: string): string {
  return `<clipPath id="${id}"><path d="${outline}"/></clipPath><g clip-path="url(#${id})">${inner}</g>`;
}

export function faded(opacity: number, inner: string): string {
  return `<g opacity="${opacity}">${inner}</g>`;
}

/** `count` shapes in a row, each made from its place in it. */
export function repeated(count: number, shape: (index: number) => string): string {
  return Array.from({ length: count }, (_, index) => shape(index)).join('');
}
