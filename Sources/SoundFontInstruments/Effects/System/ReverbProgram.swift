// SPDX-License-Identifier: Apache-2.0
internal import AudioProcessing

/// The settings of FluidSynth's reverb.
struct ReverbProgram: BitwiseCopyable, Equatable {
  /// The room size, 0…1, for a decay of 0.7 s to 12.5 s (`seconds(roomSize:)`).
  var roomSize: Double
  /// The damping of high frequencies, 0…1.
  var damping: Double
  /// The stereo width, 0…100.
  var width: Double
  /// The return level, 0…1.
  var level = Self.nominalLevel

  /// The initial level of FluidSynth, which corresponds to a level of 64.
  static var nominalLevel: Double {
    @_noAllocation @_noLocks
    get { 0.9 }
  }

  /// The initial settings of FluidSynth.
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

  /// Creates a reverb with a decay time (60 dB) in seconds, limited to 0.7…12.5 s.
  @_noAllocation @_noLocks
  private init(ringing seconds: Double, damping: Double, width: Double) {
    self.init(
      roomSize: Self.roomSize(ringing: seconds), damping: damping, width: width)
  }

  /// The settings of a GS macro: Room 1 to 3, Hall 1 and 2, Plate, Delay, Panning Delay.
  ///
  /// The manuals give the times without a unit. They have the decay times of GM2's types with the
  /// same names and order. FluidSynth does not repeat sounds, so the delays are the smallest room.
  ///
  /// Source: Roland SC-88 and SC-8850 owner's manuals, reverb macro.
  @_noAllocation @_noLocks
  init?(gs macro: Int) {
    switch macro {
    case 0: self.init(ringing: Self.seconds(gm2: 44), damping: 0.3, width: 0.4)
    case 1: self.init(ringing: Self.seconds(gm2: 50), damping: 0.4, width: 0.4)
    case 2: self.init(ringing: Self.seconds(gm2: 56), damping: 0, width: 0.5)
    case 3: self.init(ringing: Self.seconds(gm2: 64), damping: 0.4, width: 0.8)
    case 4: self.init(ringing: Self.seconds(gm2: 64), damping: 0, width: 0.8)
    case 5: self.init(ringing: Self.seconds(gm2: 50), damping: 0, width: 1)
    case 6: self.init(roomSize: 0, damping: 0, width: 0)
    case 7: self.init(roomSize: 0, damping: 0, width: 1)
    default: return nil
    }
  }

  /// The settings of an XG type by both bytes: Hall 1 and 2, Room 1 to 3, Stage 1 and 2, Plate,
  /// White Room, Tunnel, Canyon, Basement.
  ///
  /// An unknown lower byte counts as 0.
  ///
  /// Source: Yamaha MU100 sound list and MIDI data, effect parameter list, for the times; they were
  /// not compared with a copy of it.
  @_noAllocation @_noLocks
  init?(xg type: Int, variant: Int = 0) {
    func time(_ first: Int, _ second: Int? = nil, _ third: Int? = nil) -> Double {
      let variation: Int? = variant == 1 ? second : variant == 2 ? third : nil
      return EffectValue.xgDecay(variation ?? first)
    }
    switch type {
    case 0x00:
      self.init(roomSize: 0, damping: 0, width: 0)
      level = 0
    case 0x01: self.init(ringing: time(18, 25), damping: 0.2, width: 0.8)
    case 0x02: self.init(ringing: time(5, 12, 9), damping: 0.2, width: 0.4)
    case 0x03: self.init(ringing: time(19, 11), damping: 0.1, width: 0.8)
    case 0x04: self.init(ringing: time(25), damping: 0, width: 1)
    case 0x10: self.init(ringing: time(9), damping: 0, width: 0.5)
    case 0x11: self.init(ringing: time(48), damping: 0.4, width: 0.3)
    case 0x12: self.init(ringing: time(59), damping: 0, width: 1)
    case 0x13: self.init(ringing: time(3), damping: 0.7, width: 0.3)
    default: return nil
    }
  }

  /// The settings of a GM2 type with its decay time: small, medium and large room, medium and large
  /// hall, plate.
  ///
  /// Source: MMA CA-24, global parameter control.
  @_noAllocation @_noLocks
  init?(gm2 kind: Int) {
    switch kind {
    case 0: self.init(ringing: Self.seconds(gm2: 44), damping: 0.3, width: 0.4)
    case 1: self.init(ringing: Self.seconds(gm2: 50), damping: 0.3, width: 0.4)
    case 2: self.init(ringing: Self.seconds(gm2: 56), damping: 0.2, width: 0.5)
    case 3: self.init(ringing: Self.seconds(gm2: 64), damping: 0.4, width: 0.8)
    case 4: self.init(ringing: Self.seconds(gm2: 64), damping: 0.2, width: 0.8)
    case 8: self.init(ringing: Self.seconds(gm2: 50), damping: 0, width: 1)
    default: return nil
    }
  }
}

// Times.
extension ReverbProgram {
  /// The decay rate of a room size in tenths, in decays of 60 dB per second.
  ///
  /// Measured with FluidSynth 2.3.1 at 48 kHz: an impulse was sent to a reverb without damping. The
  /// energy of the left side was summed from the end, and three times the time in which it falls
  /// from −5 to −25 dB was taken. Linear interpolation between the tenths is exact to 1 % at the
  /// twentieths. With a damping of 0.3 the octave around 1 kHz decays in the same time within 3 %,
  /// up to 3 s; at 12.5 s it decays in 11.5 s.
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

  /// The decay time of a room without damping, 0.708…12.5 s.
  @_noAllocation @_noLocks
  static func seconds(roomSize: Double) -> Double {
    let place = min(1, max(0, roomSize)) * 10
    let tenths = min(9, Int(place))
    let part = place - Double(tenths)
    return 1 / (speed(tenths) + (speed(tenths &+ 1) - speed(tenths)) * part)
  }

  /// The room size for a decay time, or the nearest possible.
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

  /// The decay time in seconds of a GM2 time of 0…127: 0.37…8.8 s, e^((time − 40) / 40).
  ///
  /// Source: MMA CA-24, global parameter control.
  @_noAllocation @_noLocks
  static func seconds(gm2 time: Int) -> Double {
    SampleMath.exponential(Double(time &- 40) / 40)
  }
}
