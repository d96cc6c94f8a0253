// SPDX-License-Identifier: Apache-2.0

/// The amounts of the generators that are set, by number 0–60.
struct GeneratorTable<Amount: Equatable & BitwiseCopyable>: BitwiseCopyable {
  /// A bit for each generator that is set.
  private(set) var isSet: UInt64 = 0
  private var amounts: InlineArray<61, Amount>

  /// Creates an empty table.
  ///
  /// - Parameter zero: The amount of generators that are not set.
  init(zero: Amount) { amounts = InlineArray(repeating: zero) }

  /// The amount of a generator, or nil if it is not set.
  subscript(kind: UInt16) -> Amount? {
    get { isSet >> UInt64(kind) & 1 == 0 ? nil : amounts[Int(kind)] }
    set {
      isSet &= ~(1 << UInt64(kind))
      guard let newValue else { return }
      isSet |= 1 << UInt64(kind)
      amounts[Int(kind)] = newValue
    }
  }

  /// Calls a function with each generator that is set, in ascending order.
  func forEach(_ body: (UInt16, Amount) -> Void) {
    var rest = isSet
    while rest != 0 {
      let kind = rest.trailingZeroBitCount
      body(UInt16(kind), amounts[kind])
      rest &= rest - 1
    }
  }

  /// Removes generators that another table does not set to the same amount.
  mutating func keep(equalIn other: Self) { filter { $1 == other[$0] } }

  /// Removes generators that another table sets to the same amount.
  mutating func remove(equalIn other: Self) { filter { $1 != other[$0] } }

  private mutating func filter(_ isKept: (UInt16, Amount) -> Bool) {
    var kept: UInt64 = 0
    forEach { kind, amount in if isKept(kind, amount) { kept |= 1 << UInt64(kind) } }
    isSet = kept
  }
}
