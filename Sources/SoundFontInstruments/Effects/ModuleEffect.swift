// SPDX-License-Identifier: Apache-2.0

/// An insertion effect of GS, or an insertion or variation effect of XG, as messages set it.
///
/// - Note: Real-time safe but for `name`.
struct ModuleEffect: BitwiseCopyable {
  /// Whose types and parameters they are.
  enum Family: UInt8, BitwiseCopyable { case gs, xg }

  let family: Family
  /// The type: the upper byte times 256, and the lower.
  let type: Int
  /// The values of the parameters, of which GS has twenty of 7 bits, XG sixteen of up to 14.
  private(set) var values = InlineArray<20, UInt16>(repeating: 0)

  /// An effect with the values that its type begins with.
  @_noAllocation @_noLocks
  init(_ family: Family, type: Int) {
    self.family = family
    self.type = type
    switch family {
    case .gs: fillGS()
    case .xg: fillXG()
    }
  }

  /// No effect: what goes in comes out.
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

  /// The units of the effect with their parameters; nil if we do not have it.
  var plan: EffectPlan? {
    @_noAllocation @_noLocks
    get {
      switch family {
      case .gs: gsPlan
      case .xg: xgPlan
      }
    }
  }

  /// The parameter that the first or the second controller of GS moves, 1…20; 0 for none.
  ///
  /// Source: Roland SC-88Pro owner's manual, where they are marked + and #; only those of overdrive and
  /// distortion (01 10, 01 11) were compared with a copy of it.
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

  /// The parameter that the controllers of a part move in an XG effect; 0 for none.
  ///
  /// Source: the mark for control in XG's effect parameter list, as we remember it: no copy was at hand.
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

  /// Moves the parameter of an XG effect that controllers move.
  @_noAllocation @_noLocks
  mutating func move(by controls: EffectControls) {
    let (parameter, sum) = (controlledXG, controls.sum)
    guard family == .xg, parameter > 0, sum != 0 else { return }
    self[parameter] = min(127, max(0, self[parameter] &+ sum))
  }

  /// Takes values from two hexadecimal digits each.
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
