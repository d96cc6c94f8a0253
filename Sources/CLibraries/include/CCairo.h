// SPDX-License-Identifier: Apache-2.0
// The functions of cairo in use, with declarations: its headers depend on forty packages that are
// otherwise not required, and this part of the interface is unchanged since 1.0.
//
// The library is opened on first use, because only PNG images require it.
#ifndef CCAIRO_H
#define CCAIRO_H

#include <stdbool.h>

typedef struct _cairo cairo_t;
typedef struct _cairo_surface cairo_surface_t;
/// Receives bytes of a PNG file; returns 0, or a status that ends the writing.
typedef int (*CCairoWrite)(void *closure, const unsigned char *bytes, unsigned int count);

enum {
  CCAIRO_FORMAT_RGB24 = 1,
  CCAIRO_ANTIALIAS_DEFAULT = 0,
  CCAIRO_ANTIALIAS_NONE = 1,
  CCAIRO_JOIN_ROUND = 1,
  CCAIRO_SLANT_NORMAL = 0,
  CCAIRO_WEIGHT_NORMAL = 0,
  CCAIRO_WEIGHT_BOLD = 1,
};

typedef struct {
  double x_bearing, y_bearing, width, height, x_advance, y_advance;
} CCairoTextExtents;

#define CCAIRO_FUNCTIONS(f)                                                                       \
  f(cairo_surface_t *, image_surface_create, (int format, int width, int height))                 \
  f(void, surface_destroy, (cairo_surface_t *))                                                   \
  f(int, surface_write_to_png_stream, (cairo_surface_t *, CCairoWrite, void *closure))            \
  f(cairo_t *, create, (cairo_surface_t *))                                                       \
  f(void, destroy, (cairo_t *))                                                                   \
  f(int, status, (cairo_t *))                                                                     \
  f(const char *, status_to_string, (int))                                                        \
  f(void, set_source_rgba, (cairo_t *, double, double, double, double))                           \
  f(void, set_antialias, (cairo_t *, int))                                                        \
  f(void, set_line_width, (cairo_t *, double))                                                    \
  f(void, set_line_join, (cairo_t *, int))                                                        \
  f(void, set_dash, (cairo_t *, const double *, int count, double offset))                        \
  f(void, move_to, (cairo_t *, double, double))                                                   \
  f(void, line_to, (cairo_t *, double, double))                                                   \
  f(void, rectangle, (cairo_t *, double, double, double, double))                                 \
  f(void, close_path, (cairo_t *))                                                                \
  f(void, fill, (cairo_t *))                                                                      \
  f(void, stroke, (cairo_t *))                                                                    \
  f(void, select_font_face, (cairo_t *, const char *, int slant, int weight))                     \
  f(void, set_font_size, (cairo_t *, double))                                                     \
  f(void, text_extents, (cairo_t *, const char *, CCairoTextExtents *))                           \
  f(void, show_text, (cairo_t *, const char *))

typedef struct {
#define CCAIRO_FIELD(type, name, arguments) type(*name) arguments;
  CCAIRO_FUNCTIONS(CCAIRO_FIELD)
#undef CCAIRO_FIELD
} CCairoTable;

/// Opens the library on the first call, on any thread, and returns its functions; null if it is
/// missing.
const CCairoTable *ccairo_table(void);

#endif
