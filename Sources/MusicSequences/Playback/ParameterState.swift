// SPDX-License-Identifier: Apache-2.0

/// The registered and non-registered parameters of a channel, and which one is selected.
struct ParameterState {
  private var selection: Selection?
  private var entries: [Selection: [Entry]] = [:]
  private var order: [Selection] = []
  /// Whether the selection is in force where the state is sent.
  private var isSelected = false

  private struct Selection: Hashable {
    var isRegistered: Bool
    var coarse: UInt8
    var fine: UInt8

    var isNone: Bool { coarse == 127 && fine == 127 }

    var controls: [(UInt8, UInt8)] {
      let first: UInt8 = isRegistered ? 101 : 99
      return [(first, coarse), (first - 1, fine)]
    }
  }

  /// A data entry as it was sent: coarse, fine, increment or decrement.
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
    selection = Selection(
      isRegistered: isRegistered, coarse: coarse ?? old?.coarse ?? 127,
      fine: fine ?? old?.fine ?? 127)
  }

  mutating func deselect() {
    guard selection != nil else { return }
    selection = Selection(isRegistered: true, coarse: 127, fine: 127)
  }

  private mutating func enter(_ number: UInt8, _ value: UInt8) {
    guard let selection, !selection.isNone else { return }
    var list = entries[selection] ?? []
    switch number {
    // A coarse value (controller 6) clears the list; a fine one (38) replaces the last fine one.
    case 6: list = [Entry(number: 6, value: value)]
    case 38:
      list.removeAll { $0.number != 6 }
      list.append(Entry(number: 38, value: value))
    // Steps are sent again one by one, up to the whole range of a coarse value.
    default: if list.count < 130 { list.append(Entry(number: number, value: value)) }
    }
    if entries[selection] == nil { order.append(selection) }
    entries[selection] = list
  }

  /// Gives the parameters another state has set and this one has not their initial values.
  mutating func setDefaults(for later: ParameterState) {
    for parameter in later.order where entries[parameter] == nil {
      guard let values = Self.initialValues(parameter) else { continue }
      order.append(parameter)
      entries[parameter] = [
        Entry(number: 6, value: values.0), Entry(number: 38, value: values.1),
      ]
      if selection == nil { selection = Selection(isRegistered: true, coarse: 127, fine: 127) }
    }
  }

  /// Forgets what another state has in force as well: what is left must be sent there.
  mutating func forget(whatIsIn other: ParameterState) {
    for (parameter, list) in other.entries where entries[parameter] == list {
      entries[parameter] = nil
    }
    order.removeAll { entries[$0] == nil }
    isSelected = order.isEmpty && selection == other.selection
  }

  private static func initialValues(_ parameter: Selection) -> (UInt8, UInt8)? {
    guard parameter.isRegistered, parameter.coarse == 0 else { return nil }
    switch parameter.fine {
    case 0: return (2, 0)
    case 1, 2: return (64, 0)
    default: return nil
    }
  }

  /// The controllers that set every parameter and then select the one that is current.
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
