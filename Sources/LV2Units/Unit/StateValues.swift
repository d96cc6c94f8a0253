// SPDX-License-Identifier: Apache-2.0
internal import CLilv

/// The values of control ports, for saving and restoring a state.
@safe
final class StateValues {
  /// Values read from a state, by parameter index.
  private(set) var taken: [Int: Float] = [:]
  private let places: [String: Int]
  private let given: UnsafeMutablePointer<Float>
  private let givenCount: Int
  private let types: [UInt32]

  init(_ plugin: LV2Plugin, _ values: [Float]) {
    let symbols = plugin.controls.enumerated().map { ($1.symbol, $0) }
    places = Dictionary(symbols) { first, _ in first }
    unsafe given = .allocate(capacity: max(1, values.count))
    for (index, value) in values.enumerated() { unsafe (given + index).initialize(to: value) }
    givenCount = values.count
    types = ["Float", "Double", "Int", "Long", "Bool"].map { LV2Names.number(LV2Names.atom + $0) }
  }

  deinit {
    unsafe given.deallocate()
  }

  static let give: LilvGetPortValueFunc = { symbol, context, size, type in
    guard let symbol = unsafe symbol, let context = unsafe context else { return nil }
    let values = unsafe Unmanaged<StateValues>.fromOpaque(context).takeUnretainedValue()
    let place = unsafe values.places[String(cString: symbol)]
    guard let index = place, index < values.givenCount else {
      unsafe size?.pointee = 0
      unsafe type?.pointee = 0
      return nil
    }
    unsafe size?.pointee = 4
    unsafe type?.pointee = values.types[0]
    return unsafe UnsafeRawPointer(values.given + index)
  }

  static let take: LilvSetPortValueFunc = { symbol, context, value, size, type in
    guard let symbol = unsafe symbol, let context = unsafe context, let value = unsafe value else {
      return
    }
    let values = unsafe Unmanaged<StateValues>.fromOpaque(context).takeUnretainedValue()
    guard let index = unsafe values.places[String(cString: symbol)],
      let number = unsafe values.number(value, size, type)
    else { return }
    values.taken[index] = number
  }

  private func number(_ value: UnsafeRawPointer, _ size: UInt32, _ type: UInt32) -> Float? {
    switch (types.firstIndex(of: type), size) {
    case (0, 4): unsafe value.loadUnaligned(as: Float.self)
    case (1, 8): unsafe Float(value.loadUnaligned(as: Double.self))
    case (2, 4), (4, 4): unsafe Float(value.loadUnaligned(as: Int32.self))
    case (3, 8): unsafe Float(value.loadUnaligned(as: Int64.self))
    default: nil
    }
  }
}
