// SPDX-License-Identifier: Apache-2.0

/// How FluidSynth's reverb is set.
struct ReverbProgram: BitwiseCopyable, Equatable {
  /// How long it rings, 0…1: 0.7 s to 12.5 s.
  var roomSize: Double
  /// How much shorter its treble rings, 0…1.
  var damping: Double
  /// How far left and right differ, 0…100.
  var width: Double
  /// The level of its return, 0…1.
  var level = Self.nominalLevel

  /// The level that FluidSynth begins with, and that a level of 64 stands for.
  static var nominalLevel: Double {
    @_noAllocation @_noLocks
    get { 0.9 }
  }

  /// What FluidSynth begins with.
  static var initial: ReverbProgram {
    @_noAllocation @_noLocks
    get { ReverbProgram(roomSize: 0.2, damping: 0, width: 0.5) }
  }

  @_noAllocation @_noLocks
  init(roomSize: Double, damping: Double, width: Double) {
    self.roomSize = roomSize
    self.damping = damping
    self.width = width
  }

  /// How fast a room of so many tenths dies away, in decays of 60 dB a second: of an impulse without
  /// damping, as FluidSynth 2.3.1 was measured to do.
  @_noAllocation @_noLocks
  private static func speed(_ tenths: Int) -> Double {
    switch tenths {
    case ...0: 1.4125
    case 1: 1.204
    case 2: 1.0305
    case 3: 0.907
    case 4: 0.74
    case 5: 0.5976
    case 6: 0.4758
    case 7: 0.3672
    case 8: 0.2657
    case 9: 0.1695
    default: 0.0798
    }
  }

  /// The decay of a room without damping, 0.708…12.5 s.
  @_noAllocation @_noLocks
  static func seconds(roomSize: Double) -> Double {
    let place = min(1, max(0, roomSize)) * 10
    let tenths = min(9, Int(place))
    let part = place - Double(tenths)
    return 1 / (speed(tenths) + (speed(tenths &+ 1) - speed(tenths)) * part)
  }

  /// The room that rings for a time, or the nearest there is.
  @_noAllocation @_noLocks
  static func roomSize(ringing seconds: Double) -> Double {
    let wanted = 1 / max(0.01, seconds)
    guard wanted < speed(0) else { return 0 }
    for tenths in 0..<10 where wanted >= speed(tenths &+ 1) {
      let (slow, fast) = (speed(tenths &+ 1), speed(tenths))
      return (Double(tenths) + (fast - wanted) / (fast - slow)) / 10
    }
    return 1
  }

  /// GS: Room 1 to 3, Hall 1 and 2, Plate, Delay, Panning Delay.
  ///
  /// The rooms ring in the order of the manual's times. FluidSynth repeats nothing: a delay is the
  /// smallest room.
  ///
  /// Source: Roland SC-88 owner's manual, reverb macro.
  @_noAllocation @_noLocks
  init?(gs macro: Int) {
    switch macro {
    case 0: self.init(roomSize: 0.25, damping: 0.3, width: 0.4)
    case 1: self.init(roomSize: 0.15, damping: 0.4, width: 0.4)
    case 2: self.init(roomSize: 0.3, damping: 0, width: 0.5)
    case 3: self.init(roomSize: 0.7, damping: 0.4, width: 0.8)
    case 4: self.init(roomSize: 0.8, damping: 0, width: 0.8)
    case 5: self.init(roomSize: 0.6, damping: 0, width: 1)
    case 6: self.init(roomSize: 0, damping: 0, width: 0)
    case 7: self.init(roomSize: 0, damping: 0, width: 1)
    default: return nil
    }
  }

  /// XG, by the upper byte of the type: halls, rooms, stages, plates, and what is like them.
  ///
  /// Source: Yamaha MU80 owner's manual, reverb type list.
  @_noAllocation @_noLocks
  init?(xg type: Int) {
    switch type {
    case 0x00:
      self.init(roomSize: 0, damping: 0, width: 0)
      level = 0
    case 0x01: self.init(roomSize: 0.8, damping: 0.2, width: 0.8)
    case 0x02: self.init(roomSize: 0.25, damping: 0.2, width: 0.4)
    case 0x03: self.init(roomSize: 0.5, damping: 0.1, width: 0.8)
    case 0x04: self.init(roomSize: 0.6, damping: 0, width: 1)
    case 0x10: self.init(roomSize: 0.3, damping: 0, width: 0.5)
    case 0x11: self.init(roomSize: 1, damping: 0.4, width: 0.3)
    case 0x12: self.init(roomSize: 1, damping: 0, width: 1)
    case 0x13: self.init(roomSize: 0.4, damping: 0.7, width: 0.3)
    default: return nil
    }
  }

  /// GM2: kinds at their times, and times of their own; false for what is neither, and changes nothing.
  ///
  /// Sizes are counted as if they rang 0.7 to 2 s in proportion, so that a time longer than a second rings
  /// longer than GM2 says (`seconds(roomSize:)`).
  ///
  /// Source: MMA CA-24, global parameter control.
  @_noAllocation @_noLocks
  mutating func set(gm2 parameter: UInt8, to value: UInt8) -> Bool {
    switch (parameter, value) {
    case (0, 0): self = ReverbProgram(roomSize: Self.roomSize(gm2: 44), damping: 0.3, width: 0.4)
    case (0, 1): self = ReverbProgram(roomSize: Self.roomSize(gm2: 50), damping: 0.3, width: 0.4)
    case (0, 2): self = ReverbProgram(roomSize: Self.roomSize(gm2: 56), damping: 0.2, width: 0.5)
    case (0, 3): self = ReverbProgram(roomSize: Self.roomSize(gm2: 64), damping: 0.4, width: 0.8)
    case (0, 4): self = ReverbProgram(roomSize: Self.roomSize(gm2: 64), damping: 0.2, width: 0.8)
    case (0, 8): self = ReverbProgram(roomSize: Self.roomSize(gm2: 50), damping: 0, width: 1)
    case (1, _): roomSize = Self.roomSize(gm2: value)
    default: return false
    }
    return true
  }

  /// The size that rings for a time of GM2: e to the power of a fortieth a step, 1 s at 40.
  @_noAllocation @_noLocks
  private static func roomSize(gm2 time: UInt8) -> Double {
    let step = 1.025315120524429
    var seconds = 1.0
    for _ in 40..<max(40, time) { seconds *= step }
    for _ in min(40, time)..<40 { seconds /= step }
    return min(1, max(0, (seconds - 0.7) / 1.3))
  }
}
