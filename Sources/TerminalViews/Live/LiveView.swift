// SPDX-License-Identifier: Apache-2.0

/// Draws a state on a terminal of any size.
///
/// From the top: title, position, progress bar with markers, values, words and channels, and a line
/// for messages at the bottom. If space is short, the least important parts are left out.
package struct LiveView: Sendable {
  private static let leastChannel = 24
  private static let mostChannel = 64

  package private(set) var screen: Screen
  private let state: LiveState
  private var top = 0
  /// The first row used at the bottom.
  private var bottom: Int
  private var barRow: Int?
  /// The number of pages of the list in front; 1 without a list.
  package private(set) var pageCount = 1

  private var columns: Int { screen.size.columns }
  private var rows: Int { screen.size.rows }

  package init(_ state: LiveState, _ size: TerminalSize) {
    self.state = state
    screen = Screen(size)
    bottom = size.rows
    layOut()
  }

  /// The fraction of the song at a cell of its bar, 0…1; nil for other cells.
  package func fraction(column: Int, row: Int) -> Double? {
    guard row == barRow, columns > 1, (0..<columns).contains(column) else { return nil }
    return Double(column) / Double(columns - 1)
  }

  private mutating func layOut() {
    // Two positions in large digits fill a small terminal.
    if rows >= (state.large.isEmpty ? 3 : 2 * LargeDigits.height + 4) { drawTitle() }
    drawPlace()
    drawBottom()
    drawBar()
    if let help = state.help { return drawHelp(help) }
    drawLarge()
    drawFields()
    drawWords()
    drawChannels()
  }

  private mutating func drawTitle() {
    let room = columns - TextWidth.columns(state.place) - 1
    screen.write(state.title, row: top, column: 0, end: max(room, columns / 2), .bold)
    if !state.place.isEmpty, room > columns / 2 {
      screen.write(state.place, row: top, column: room + 1, .faint)
    }
    top += 1
  }

  private mutating func drawPlace() {
    let style = CellStyle(state.mode.tone, bold: true)
    var column = screen.write(state.mode.sign + " ", row: top, column: 0, style)
    column = screen.write(state.time, row: top, column: column, .bold)
    let parts = [
      (state.music, CellStyle.plain), (state.mode.word, style),
      (rows < 4 && !state.message.isEmpty ? state.message : "", CellStyle(.warning)),
      (rows < 3 ? state.title : "", .faint),
    ]
    for (text, style) in parts where !text.isEmpty {
      column = screen.write(text, row: top, column: column + 2, style)
    }
    top += 1
  }

  /// Draws the last message, or the hint.
  private mutating func drawBottom() {
    guard rows >= 8 || rows >= 4 && !state.message.isEmpty else { return }
    bottom -= 1
    if state.message.isEmpty {
      screen.write(state.hint, row: bottom, column: 0, .faint)
    } else {
      screen.write(state.message, row: bottom, column: 0, CellStyle(.warning))
    }
  }

  private mutating func drawBar() {
    guard let bar = state.bar, top < bottom else { return }
    barRow = top
    let head = column(of: bar.position)
    for column in 0..<columns {
      let isPast = column <= head
      screen.write(
        isPast ? "━" : "─", row: top, column: column, CellStyle(isPast ? .accent : .faint))
    }
    for marker in bar.markers {
      screen.write("┃", row: top, column: column(of: marker.place), CellStyle(.warning))
    }
    screen.write("●", row: top, column: head, CellStyle(.accent, bold: true))
    for (letter, place) in [("A", bar.first), ("B", bar.last)] {
      guard let place else { continue }
      screen.write(
        letter, row: top, column: column(of: place), CellStyle(.warning, bold: true, reversed: true)
      )
    }
    top += 1
    guard rows >= 14, !bar.markers.isEmpty else { return }
    drawNames(of: bar.markers.sorted { $0.place < $1.place })
    top += 1
  }

  private func column(of part: Double) -> Int {
    guard part.isFinite else { return 0 }
    return min(max(Int((part * Double(columns - 1)).rounded()), 0), columns - 1)
  }

  /// Draws the names of markers below their positions, each up to the next one.
  private mutating func drawNames(of markers: [LiveState.Marker]) {
    for (index, marker) in markers.enumerated() {
      let next = index + 1 < markers.count ? column(of: markers[index + 1].place) - 1 : columns
      screen.write(marker.name, row: top, column: column(of: marker.place), end: next, .faint)
    }
  }

  /// Draws positions in large digits, or in small ones on a small terminal.
  private mutating func drawLarge() {
    for (index, text) in state.large.enumerated() {
      let digits = LargeDigits.rows(text)
      let isWide = digits[0].count > columns
      let left = state.large.count - index - 1
      if !isWide, bottom - top >= LargeDigits.height + left {
        if rows >= 2 * LargeDigits.height + 6, top < bottom { top += 1 }
        for row in digits {
          screen.write(row, row: top, column: 0, .bold)
          top += 1
        }
      } else if top < bottom {
        screen.write(text, row: top, column: 0, .bold)
        top += 1
      }
    }
    if !state.large.isEmpty { leaveGap() }
  }

  private mutating func drawFields() {
    let most = min(bottom - top, max(1, rows / 6))
    guard most > 0, rows >= 4 else { return }
    var (row, column) = (top, 0)
    for field in state.fields where !field.value.isEmpty {
      let label = field.name.isEmpty ? "" : field.name + " "
      let width = TextWidth.columns(label) + TextWidth.columns(field.value)
      if column > 0, column + width > columns { (row, column) = (row + 1, 0) }
      guard row < top + most else { break }
      column = screen.write(label, row: row, column: column, .faint)
      column = screen.write(field.value, row: row, column: column, CellStyle(field.tone)) + 3
    }
    top = min(row + 1, top + most)
    if state.fields.isEmpty { top -= 1 }
    leaveGap()
  }

  private mutating func leaveGap() {
    if rows >= 20, top < bottom { top += 1 }
  }

  private mutating func drawWords() {
    let room = bottom - top
    guard !state.words.isEmpty, room > 0 else { return }
    let current = state.words.firstIndex(where: \.isCurrent) ?? 0
    let count = room >= 20 ? 5 : room >= 10 ? 3 : 1
    let first = count == 1 ? current : max(0, current - 1)
    for line in state.words[first...].prefix(count) {
      draw(line)
      top += 1
    }
    leaveGap()
  }

  private mutating func draw(_ line: LiveState.WordLine) {
    var sung = line.sung
    // A line that is too long scrolls with the words that are sung.
    if TextWidth.columns(sung + line.rest) > columns - 2 {
      while TextWidth.columns(sung) > columns / 2 { sung.removeFirst() }
    }
    let rest = line.isCurrent ? CellStyle.bold : .faint
    let past = CellStyle(.accent, bold: line.isCurrent, reversed: line.isCurrent)
    let column = screen.write(
      sung, row: top, column: columns > 30 ? 2 : 0, sung.isEmpty ? .plain : past)
    screen.write(line.rest, row: top, column: column, rest)
  }

  private mutating func drawChannels() {
    let room = bottom - top
    guard room > 0, !state.channels.isEmpty else { return }
    let needed = (state.channels.count + room - 1) / room
    let lanes = min(needed, max(1, columns / Self.leastChannel))
    let shown = min(state.channels.count, lanes * room)
    let selected = state.selected ?? 0
    let first = min(max(0, selected - shown / 2), state.channels.count - shown)
    let height = (shown + lanes - 1) / lanes
    let width = min(columns / lanes, Self.mostChannel)
    for index in 0..<shown {
      draw(
        state.channels[first + index], isSelected: first + index == state.selected,
        row: top + index % height, column: index / height * width,
        width: lanes > 1 ? width - 2 : width)
    }
    top += height
  }

  private mutating func draw(
    _ channel: LiveState.ChannelRow, isSelected: Bool, row: Int, column: Int, width: Int
  ) {
    let end = column + width
    let number = channel.number < 10 ? " \(channel.number)" : "\(channel.number)"
    let flags = (channel.isMuted ? "M" : " ") + (channel.isSoloed ? "S" : " ")
    let meter = width >= 48 ? 16 : width >= 28 ? 8 : 1
    let tone: CellStyle.Tone = channel.isHeard ? (channel.isActive ? .plain : .faint) : .faint
    screen.write(
      number, row: row, column: column, end: end, CellStyle(tone, bold: true, reversed: isSelected))
    screen.write(
      channel.name, row: row, column: column + 3, end: end - meter - 4,
      CellStyle(tone, bold: channel.isActive && channel.isHeard))
    screen.write(
      flags, row: row, column: end - meter - 3, end: end, CellStyle(.warning, bold: true))
    drawMeter(channel, row: row, columns: end - meter..<end)
  }

  private mutating func drawMeter(
    _ channel: LiveState.ChannelRow, row: Int, columns: Range<Int>
  ) {
    let level = channel.level.isFinite ? min(max(channel.level, 0), 1) : 0
    let full = Int((level * Double(columns.count)).rounded())
    for (index, column) in columns.enumerated() {
      let isFull = index < full
      screen.write(
        isFull ? "■" : "·", row: row, column: column,
        CellStyle(isFull && channel.isHeard ? .good : .faint))
    }
  }

  /// Draws the keys in front of the rest, in several columns if necessary; on a small terminal, a
  /// page of them.
  private mutating func drawHelp(_ help: [LiveState.KeyHelp]) {
    let room = bottom - top
    guard room > 0, !help.isEmpty else { return }
    let most = max(1, columns / 36)
    var lanes = min((help.count + room - 1) / room, most)
    var list = listRows(of: help, width: columns / lanes)
    while list.count > lanes * room, lanes < most {
      lanes += 1
      list = listRows(of: help, width: columns / lanes)
    }
    pageCount = (list.count + lanes * room - 1) / (lanes * room)
    let page = min(state.helpPage, pageCount - 1)
    if pageCount > 1 { drawNumber(ofPage: page) }
    let shown = list.dropFirst(page * lanes * room).prefix(lanes * room)
    let height = min(room, (list.count + lanes - 1) / lanes)
    let width = columns / lanes
    let keys = Self.keyColumns(help, width: width)
    for (index, line) in shown.enumerated() {
      let (row, column) = (top + index % height, index / height * width)
      screen.write(line.keys, row: row, column: column, end: column + keys, .bold)
      screen.write(
        line.action, row: row, column: column + keys + 2, end: column + width - 1)
    }
  }

  /// The width of the key column in a list of keys.
  private static func keyColumns(_ help: [LiveState.KeyHelp], width: Int) -> Int {
    min(help.map { TextWidth.columns($0.keys) }.max() ?? 0, width / 2)
  }

  /// The rows of a list of keys; a long action continues in the next row, without its keys.
  private func listRows(of help: [LiveState.KeyHelp], width: Int) -> [LiveState.KeyHelp] {
    let room = width - Self.keyColumns(help, width: width) - 3
    return help.flatMap { entry in
      TextWidth.lines(of: entry.action, width: room).enumerated().map { index, line in
        LiveState.KeyHelp(index == 0 ? entry.keys : "", line)
      }
    }
  }

  /// Draws the page number in place of the line at the bottom.
  private mutating func drawNumber(ofPage page: Int) {
    guard bottom < rows else { return }
    let blank = String(repeating: " ", count: columns)
    screen.write(blank, row: bottom, column: 0)
    let next = page + 1 < pageCount ? "   same key: next page" : ""
    screen.write("page \(page + 1) of \(pageCount)\(next)", row: bottom, column: 0, .faint)
  }
}
