// SPDX-License-Identifier: Apache-2.0

/// An insertion effect of GS, or an insertion or variation effect of XG, as set by messages.
///
/// - Note: Real-time safe.
struct ModuleEffect: BitwiseCopyable {
  /// The standard that defines the types and parameters.
  enum Family: UInt8, BitwiseCopyable { case gs, xg }

  let family: Family
  /// The type: the upper byte times 256, plus the lower byte.
  let type: Int
  /// The values of the parameters.
  ///
  /// GS has 20 of 7 bits, XG 16 of up to 14 bits.
  private(set) var values = InlineArray<20, UInt16>(repeating: 0)

  /// Creates an effect with the initial values of its type.
  @_noAllocation @_noLocks
  init(_ family: Family, type: Int) {
    self.family = family
    self.type = type
    switch family {
    case .gs: fillGS()
    case .xg: fillXG()
    }
  }

  /// Creates the effect "thru", which passes its input unchanged.
  @_noAllocation @_noLocks
  init() { self.init(.gs, type: 0) }

  /// The value of a parameter, 1…20.
  @_noAllocation @_noLocks
  subscript(parameter: Int) -> Int {
    get { (1...20).contains(parameter) ? Int(values[parameter &- 1]) : 0 }
    set {
      guard (1...20).contains(parameter) else { return }
      values[parameter &- 1] = UInt16(truncatingIfNeeded: newValue & 0x3FFF)
    }
  }

  /// The units of the effect with their parameters; nil if the type is not supported.
  var plan: EffectPlan? {
    @_noAllocation @_noLocks
    get {
      switch family {
      case .gs: gsPlan
      case .xg: xgPlan
      }
    }
  }

  /// The parameter, 1…20, that the first or second controller of GS changes; 0 for none.
  ///
  /// Source: Roland SC-88Pro owner's manual, which marks these parameters + and #. Only those
  /// of overdrive and distortion (01 10, 01 11) were compared with a copy of the manual.
  @_noAllocation @_noLocks
  func controlled(by controller: Int) -> Int {
    guard family == .gs else { return 0 }
    let pair: (Int, Int) =
      switch type {
      case 0x0102: (1, 2)
      case 0x0110, 0x0111: (1, 19)
      case 0x0120: (1, 2)
      case 0x0121: (3, 5)
      case 0x0122: (11, 20)
      case 0x0123, 0x0124: (4, 6)
      case 0x0125, 0x0126: (2, 3)
      case 0x0140: (2, 16)
      case 0x0142, 0x0143, 0x0144: (4, 16)
      case 0x0150, 0x0151: (3, 16)
      case 0x0152: (4, 16)
      case 0x0160: (1, 5)
      case 0x0200...0x0205: (1, 10)
      default: (0, 0)
      }
    return controller == 0 ? pair.0 : pair.1
  }

  /// The parameter that the controllers of a part change in an XG effect; 0 for none.
  ///
  /// Source: the control marks in XG's effect parameter list, from memory, because a copy was not
  /// available.
  private var controlledXG: Int {
    @_noAllocation @_noLocks
    get {
      switch type >> 8 {
      case 0x45...0x47: 1
      case 0x4E: 3
      case 0x52: 2
      case 0x4C, 0x4D, 0x53: 0
      default: 10
      }
    }
  }

  /// Applies the controllers to the parameter of an XG effect that they change.
  @_noAllocation @_noLocks
  mutating func move(by controls: EffectControls) {
    let (parameter, sum) = (controlledXG, controls.sum)
    guard family == .xg, parameter > 0, sum != 0 else { return }
    self[parameter] = min(127, max(0, self[parameter] &+ sum))
  }

  /// Sets the values from a string with two hexadecimal digits for each.
  @_noAllocation @_noLocks
  mutating func fill(_ digits: StaticString) {
    let bytes = unsafe digits.utf8Start
    for place in 0..<min(20, digits.utf8CodeUnitCount / 2) {
      let high = unsafe Self.digit(bytes[2 &* place])
      let low = unsafe Self.digit(bytes[2 &* place &+ 1])
      values[place] = high << 4 | low
    }
  }

  @_noAllocation @_noLocks
  private static func digit(_ byte: UInt8) -> UInt16 {
    byte >= 0x41 ? UInt16(byte) &- 0x37 : UInt16(byte) &- 0x30
  }
}
