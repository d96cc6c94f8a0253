// SPDX-License-Identifier: Apache-2.0
internal import MIDIMessages

/// The registered and non-registered parameters of a channel, and the selected one.
struct ParameterState {
  private var selection: Selection?
  /// The lower byte of data entry for the selection; nil if none was received since the selection.
  private var lowerByte: UInt8?
  private var entries: [Selection: [Entry]] = [:]
  private var order: [Selection] = []
  /// True if the parameter is already selected at the destination.
  private var isSelected = false

  /// The number of a parameter.
  struct Selection: Hashable, Sendable {
    var isRegistered: Bool
    var coarse: UInt8
    var fine: UInt8

    var isNone: Bool { coarse == 127 && fine == 127 }

    var controls: [(UInt8, UInt8)] {
      let first: UInt8 = isRegistered ? 101 : 99
      return [(first, coarse), (first - 1, fine)]
    }
  }

  /// A received data entry: coarse, fine, increment or decrement.
  private struct Entry: Equatable {
    var number: UInt8
    var value: UInt8
  }

  mutating func apply(_ number: UInt8, _ value: UInt8) {
    switch number {
    case 98, 100: select(isRegistered: number == 100, fine: value)
    case 99, 101: select(isRegistered: number == 101, coarse: value)
    default: enter(number, value)
    }
  }

  private mutating func select(isRegistered: Bool, coarse: UInt8? = nil, fine: UInt8? = nil) {
    let old = selection.flatMap { $0.isRegistered == isRegistered ? $0 : nil }
    lowerByte = nil
    selection = Selection(
      isRegistered: isRegistered, coarse: coarse ?? old?.coarse ?? 127,
      fine: fine ?? old?.fine ?? 127)
  }

  /// The parameter that data entry changes; nil for none.
  var current: Selection? { selection.flatMap { $0.isNone ? nil : $0 } }

  /// Removes the values of a parameter, because something else has set the same thing.
  mutating func forget(_ parameter: Selection) {
    guard entries.removeValue(forKey: parameter) != nil else { return }
    order.removeAll { $0 == parameter }
  }

  /// Removes the values of drum notes, because a message has reset all of them.
  mutating func forgetDrumNotes() {
    for parameter in order
    where !parameter.isRegistered && (0x14...0x1F).contains(parameter.coarse) {
      entries[parameter] = nil
    }
    order.removeAll { entries[$0] == nil }
  }

  func isSet(_ parameter: Selection) -> Bool { entries[parameter] != nil }

  /// The same parameters with values that cannot occur in messages.
  var touched: ParameterState {
    var state = self
    for parameter in order { state.entries[parameter] = [Entry(number: 0, value: 0)] }
    return state
  }

  mutating func deselect() {
    lowerByte = nil
    guard selection != nil else { return }
    selection = Selection(isRegistered: true, coarse: 127, fine: 127)
  }

  private mutating func enter(_ number: UInt8, _ value: UInt8) {
    guard let selection, !selection.isNone else { return }
    var list = entries[selection] ?? []
    switch number {
    // Some devices clear the lower byte when the upper byte is received, others wait for both. A
    // lower byte that was received before the upper one is therefore also sent before it.
    case 6:
      list = lowerByte.map { [Entry(number: 38, value: $0)] } ?? []
      list.append(Entry(number: 6, value: value))
    case 38:
      lowerByte = value
      if let upper = list.lastIndex(where: { $0.number == 6 }) {
        list.removeSubrange((upper + 1)...)
      } else {
        list = []
      }
      list.append(Entry(number: 38, value: value))
    // Steps are sent again one by one, at most the whole range of a coarse value.
    default: if list.count < 130 { list.append(Entry(number: number, value: value)) }
    }
    if entries[selection] == nil { order.append(selection) }
    entries[selection] = list
  }

  /// Sets initial values for parameters that another state has set and this one has not.
  ///
  /// - Parameters:
  ///   - later: The other state.
  ///   - mode: The mode, which determines the initial values.
  ///   - isCovered: Returns true if a SysEx message of this state sets the same thing as a
  ///     parameter.
  mutating func setDefaults(
    for later: ParameterState, in mode: SysExReset?, unless isCovered: (Selection) -> Bool
  ) {
    for parameter in later.order where entries[parameter] == nil && !isCovered(parameter) {
      guard let values = parameter.initialValues(in: mode) else { continue }
      order.append(parameter)
      let (upper, lower) = (
        Entry(number: 6, value: values.0), Entry(number: 38, value: values.1)
      )
      entries[parameter] = parameter.isRegistered ? [upper, lower] : [lower, upper]
      if selection == nil { selection = Selection(isRegistered: true, coarse: 127, fine: 127) }
    }
  }

  /// Removes values that another state already has, so that only the rest is sent.
  mutating func forget(whatIsIn other: ParameterState) {
    for (parameter, list) in other.entries where entries[parameter] == list {
      entries[parameter] = nil
    }
    order.removeAll { entries[$0] == nil }
    isSelected = order.isEmpty && selection == other.selection
  }

  /// The controllers that set every parameter and then select the current one.
  var controls: [(UInt8, UInt8)] {
    var out: [(UInt8, UInt8)] = []
    var current: Selection?
    for parameter in order {
      guard let list = entries[parameter] else { continue }
      out += parameter.controls
      out += list.map { ($0.number, $0.value) }
      current = parameter
    }
    if let selection, selection != current, !isSelected { out += selection.controls }
    return out
  }
}

extension ParameterState.Selection {
  /// The upper and lower byte after a reset; nil if not known.
  ///
  /// Sources: General MIDI 2 (RP-024); Roland SC-88 and Yamaha MU80 owner's manuals; SoundFont
  /// 2.04, 9.6.
  func initialValues(in mode: SysExReset?) -> (UInt8, UInt8)? {
    guard isRegistered else {
      switch (coarse, fine) {
      // Sound controllers of a part, and generators of a SoundFont.
      case (1, 8...10), (1, 0x20...0x21), (1, 0x63...0x66), (120, 0...99): return (64, 0)
      // Pitch, filter and envelope of one drum.
      case (0x14...0x19, _), (0x1C, _): return (64, 0)
      // Level and sends of one drum.
      case (0x1A, _), (0x1D...0x1F, _): return (127, 0)
      default: return nil
      }
    }
    guard coarse == 0 else { return nil }
    switch fine {
    case 0: return (mode == .mt32 ? 12 : 2, 0)
    case 1, 2: return (64, 0)
    case 3, 4: return (0, 0)
    // Half a semitone.
    case 5: return (0, 64)
    default: return nil
    }
  }
}
