// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import SoundFontInstruments

/// The decay time of the system reverb as set by GM2, GS and XG.
///
/// It is measured in the octave around 1 kHz, as for rooms (ISO 3382): damping shortens the treble
/// above and does not affect this octave.
@Suite struct ReverbTimeTests {
  typealias Setting = SystemSoundRig.Setting

  private static func decay(_ settings: [Setting], about seconds: Double) throws -> Double {
    let heard = try SystemSoundRig.heard(
      settings, seconds: min(10, 2 * seconds), SystemSoundRig.impulse)
    return SystemSoundRig.decay(SystemSoundRig.octave(1000, of: heard[0]))
  }

  /// MMA CA-24: small, medium and large room, medium and large hall, plate.
  @Test(arguments: [(0, 1.1), (1, 1.3), (2, 1.5), (3, 1.8), (4, 1.8), (8, 1.3)])
  func `each kind of GM2 has its decay time`(kind: Int, seconds: Double) throws {
    let decay = try Self.decay([.gm2(0, kind)], about: seconds)
    #expect(abs(decay / seconds - 1) < 0.15, "\(decay)")
  }

  /// MMA CA-24: e^((value − 40) · 0.025) seconds.
  @Test(arguments: [
    (0, 0.368), (20, 0.607), (26, 0.705), (40, 1), (56, 1.49), (64, 1.82), (90, 3.49), (127, 8.8),
  ])
  func `the decay follows the time formula of GM2, in every kind`(
    byte: Int, seconds: Double
  ) throws {
    for kind in [0, 3, 4, 8] {
      let decay = try Self.decay([.gm2(0, kind), .gm2(1, byte)], about: seconds)
      #expect(abs(decay / seconds - 1) < 0.15, "\(kind): \(decay)")
    }
  }

  /// The kinds of GM2, with their names and their order.
  @Test(arguments: [(0, 1.1), (1, 1.3), (2, 1.5), (3, 1.8), (4, 1.8), (5, 1.3)])
  func `each macro of GS decays like the kind of GM2`(macro: Int, seconds: Double) throws {
    let decay = try Self.decay([.gs(0x30, macro)], about: seconds)
    #expect(abs(decay / seconds - 1) < 0.15, "\(decay)")
  }

  /// A step of GS is a factor of e^(1/40).
  @Test(arguments: [
    (4, 64, 1.82), (4, 44, 1.1), (4, 24, 0.67), (4, 84, 3), (4, 4, 0.406), (2, 64, 1.49),
    (2, 84, 2.46), (2, 24, 0.549), (4, 127, 8.8),
  ])
  func `a time of GS lengthens or shortens the macro's decay`(
    macro: Int, byte: Int, seconds: Double
  ) throws {
    let decay = try Self.decay([.gs(0x30, macro), .gs(0x34, byte)], about: seconds)
    #expect(abs(decay / seconds - 1) < 0.15, "\(decay)")
  }

  /// Times of XG: table 4 of the manual's effect data.
  @Test(arguments: [(0, 0.3), (2, 0.5), (7, 1), (15, 1.8), (18, 2.1), (47, 5), (57, 10)])
  func `the reverb of XG has its decay time`(byte: Int, seconds: Double) throws {
    let settings: [Setting] = [.xg(0, 1), .xg(2, byte), .xg(0x13, 10)]
    let decay = try Self.decay(settings, about: seconds)
    #expect(abs(decay / seconds - 1) < 0.15, "\(decay)")
  }

  /// The basement's 0.6 s is below the shortest decay of FluidSynth's reverb, 0.7 s.
  @Test(arguments: [
    (0x01, 0, 2.1), (0x01, 1, 2.8), (0x02, 0, 0.8), (0x02, 1, 1.5), (0x02, 2, 1.2),
    (0x03, 0, 2.2), (0x03, 1, 1.4), (0x04, 0, 2.8), (0x10, 0, 1.2), (0x11, 0, 5.5),
    (0x12, 0, 12), (0x13, 0, 0.7), (0x01, 0x20, 2.1),
  ])
  func `each type of XG has its default decay time`(
    type: Int, variant: Int, seconds: Double
  ) throws {
    let decay = try Self.decay([.xg(0, type), .xg(1, variant)], about: seconds)
    #expect(abs(decay / seconds - 1) < 0.15, "\(decay)")
  }

  @Test func `a room has the decay time it is set to, and a longer one is larger`() {
    var last = -1.0
    for step in 0...200 {
      let seconds = 0.71 + 11.79 * Double(step * step) / 40_000
      let size = ReverbProgram.roomSize(ringing: seconds)
      #expect(size > last && abs(ReverbProgram.seconds(roomSize: size) / seconds - 1) < 1e-9)
      last = size
    }
    #expect(ReverbProgram.roomSize(ringing: 0) == 0 && ReverbProgram.roomSize(ringing: 99) == 1)
  }

  /// The table that converts times to rooms agrees with FluidSynth's reverb.
  @Test(arguments: 0...10)
  func `FluidSynth's reverb without damping decays in the time of its room`(tenths: Int) throws {
    let size = Double(tenths) / 10
    let seconds = ReverbProgram.seconds(roomSize: size)
    let samples = try SystemSoundRig.heard(
      [], seconds: min(10, 1.5 * seconds),
      room: ReverbProgram(roomSize: size, damping: 0, width: 1), SystemSoundRig.impulse)
    let decay = SystemSoundRig.decay(samples[0])
    #expect(abs(decay / seconds - 1) < 0.05, "\(decay)")
  }
}
