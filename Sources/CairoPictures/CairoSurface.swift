// SPDX-License-Identifier: Apache-2.0
internal import CCairo
internal import SongPictures

/// Pixels in memory, and a cairo context that draws on them.
@safe
struct CairoSurface: ~Copyable {
  private static let dashes = [4.0, 3.0]

  private let cairo: UnsafePointer<CCairoTable>
  private let surface: OpaquePointer
  private let pen: OpaquePointer

  init(width: Int, height: Int) throws(CairoError) {
    guard let cairo = unsafe ccairo_table() else { throw .libraryMissing }
    // Both are never null. Errors are checked at the end.
    guard
      let surface = unsafe cairo.pointee.image_surface_create(
        Int32(CCAIRO_FORMAT_RGB24), Int32(width), Int32(height)),
      let pen = unsafe cairo.pointee.create(surface)
    else { throw .refused(reason: "not enough memory") }
    unsafe (self.cairo, self.surface, self.pen) = (cairo, surface, pen)
    unsafe cairo.pointee.set_line_join(pen, Int32(CCAIRO_JOIN_ROUND))
  }

  deinit {
    unsafe cairo.pointee.destroy(pen)
    unsafe cairo.pointee.surface_destroy(surface)
  }

  private borrowing func check(_ status: Int32) throws(CairoError) {
    guard status != 0 else { return }
    let words = unsafe cairo.pointee.status_to_string(status).map { unsafe String(cString: $0) }
    throw .refused(reason: words ?? "error \(status)")
  }

  borrowing func draw(_ shape: Shape, _ appearance: Appearance) {
    take(appearance.color(of: shape.ink), shape.opacity)
    switch shape.form {
    case .boxes(let boxes):
      for box in boxes {
        unsafe cairo.pointee.rectangle(pen, box.x, box.y, box.width, box.height)
      }
      unsafe cairo.pointee.fill(pen)
    case .area(let outline):
      trace(outline)
      unsafe cairo.pointee.close_path(pen)
      unsafe cairo.pointee.fill(pen)
    case .lines(let lines, let width, let isDashed):
      if isDashed { unsafe cairo.pointee.set_dash(pen, Self.dashes, 2, 0) }
      lines.forEach { trace($0) }
      stroke(width)
      unsafe cairo.pointee.set_dash(pen, nil, 0, 0)
    case .runs(let runs, let thickness, let isCrisp):
      if isCrisp { unsafe cairo.pointee.set_antialias(pen, Int32(CCAIRO_ANTIALIAS_NONE)) }
      for run in runs { trace([Point(run.x, run.y), Point(run.x + run.length, run.y)]) }
      stroke(thickness)
      unsafe cairo.pointee.set_antialias(pen, Int32(CCAIRO_ANTIALIAS_DEFAULT))
    case .text(let label): write(label)
    }
  }

  private borrowing func take(_ color: UInt32, _ opacity: Double) {
    let parts = [16, 8, 0].map { Double(color >> $0 & 0xFF) / 255 }
    unsafe cairo.pointee.set_source_rgba(pen, parts[0], parts[1], parts[2], opacity)
  }

  private borrowing func trace(_ points: [Point]) {
    guard let first = points.first else { return }
    unsafe cairo.pointee.move_to(pen, first.x, first.y)
    for point in points.dropFirst() { unsafe cairo.pointee.line_to(pen, point.x, point.y) }
  }

  private borrowing func stroke(_ width: Double) {
    unsafe cairo.pointee.set_line_width(pen, width)
    unsafe cairo.pointee.stroke(pen)
  }

  private borrowing func write(_ label: Label) {
    let weight = label.isBold ? CCAIRO_WEIGHT_BOLD : CCAIRO_WEIGHT_NORMAL
    unsafe cairo.pointee.select_font_face(
      pen, "sans-serif", Int32(CCAIRO_SLANT_NORMAL), Int32(weight))
    unsafe cairo.pointee.set_font_size(pen, label.size)
    let text = MarkupText.plain(label.text)
    var extents = CCairoTextExtents()
    unsafe cairo.pointee.text_extents(pen, text, &extents)
    let share: Double =
      switch label.anchor {
      case .start: 0
      case .middle: 0.5
      case .end: 1
      }
    unsafe cairo.pointee.move_to(pen, label.place.x - share * extents.x_advance, label.place.y)
    unsafe cairo.pointee.show_text(pen, text)
  }

  /// The pixels as a PNG file.
  borrowing func png() throws(CairoError) -> [UInt8] {
    try check(unsafe cairo.pointee.status(pen))
    var bytes: [UInt8] = []
    let status = unsafe withUnsafeMutablePointer(to: &bytes) { target in
      unsafe cairo.pointee.surface_write_to_png_stream(
        surface,
        { target, bytes, count in
          let piece = unsafe UnsafeBufferPointer(start: bytes, count: Int(count))
          unsafe target?.assumingMemoryBound(to: [UInt8].self).pointee.append(contentsOf: piece)
          return 0
        }, target)
    }
    try check(status)
    return bytes
  }
}
