// SPDX-License-Identifier: Apache-2.0

/// How FluidSynth's reverb is set.
struct ReverbProgram: BitwiseCopyable, Equatable {
  /// How long it rings, 0…1: 0.7 s to 2 s.
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

  /// How loud noise comes back, as a part of what is sent, as FluidSynth 2.3.1 was measured to do; its
  /// larger rooms are louder.
  var loudness: Double {
    @_noAllocation @_noLocks
    get {
      let (from, to, place) =
        switch roomSize {
        case ..<0.25: (-1.82, -1.56, roomSize / 0.25)
        case ..<0.5: (-1.56, -1.098, (roomSize - 0.25) / 0.25)
        case ..<0.8: (-1.098, -0.5525, (roomSize - 0.5) / 0.3)
        default: (-0.5525, 0.032, (roomSize - 0.8) / 0.2)
        }
      // Logarithms, at the nominal level.
      return EffectMath.power(from + (to - from) * place)
    }
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
  /// FluidSynth's times end at 0.7 and 2 s.
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
