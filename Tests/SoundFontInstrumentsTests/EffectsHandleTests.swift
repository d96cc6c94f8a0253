// SPDX-License-Identifier: Apache-2.0
import AudioProcessing
import Glibc
import MIDIMessages
import MusicalTime
import TestSupport
import Testing

@testable import SoundFontInstruments

/// FluidSynth's reverb and chorus with external sound, compared with a FluidSynth whose voices send
/// the same sound: a channel's dry sound times the send level.
@Suite struct EffectsHandleTests {
  private static let channel = Channel(index: 0)
  private static let frames = EffectFeed.frameCount

  /// Float buffers for two channels of some buses.
  @safe private final class Buses {
    let pointers: UnsafeMutablePointer<UnsafeMutablePointer<Float>?>
    let count: Int

    init(_ count: Int) {
      self.count = 2 * count
      unsafe pointers = .allocate(capacity: 2 * count)
      for index in 0..<2 * count {
        let samples = UnsafeMutablePointer<Float>.allocate(capacity: frames)
        unsafe samples.initialize(repeating: 0, count: frames)
        unsafe (pointers + index).initialize(to: samples)
      }
    }

    deinit {
      for index in 0..<count { unsafe pointers[index]?.deallocate() }
      unsafe pointers.deallocate()
    }

    func clear() {
      for index in 0..<count {
        unsafe pointers[index]?.update(repeating: 0, count: frames)
      }
    }

    subscript(channel: Int, frame: Int) -> Float {
      unsafe pointers[channel]?[frame] ?? 0
    }
  }

  /// The difference between both returns for each channel, in dB relative to the returns.
  private static func difference(
    hertz: Int, runs: [Int], resetsAt: Int? = nil, reverb: ReverbProgram = .initial
  ) throws -> [Double] {
    let folder = try ScratchFolder()
    try folder.write(TinySoundFont.bytes, to: "tiny.sf2")
    let layers = [SoundFontLayer(try SoundFont(path: folder.path("tiny.sf2")))]
    var configuration = InstrumentConfiguration(rate: try #require(SampleRate(hertz: hertz)))
    configuration.dryBuses = .mixed
    var synth = try SynthHandle(configuration)
    try synth.load(layers, programs: nil)
    synth.setReverb(reverb)
    var effects = try EffectsHandle(hertz: hertz)
    effects.setReverb(reverb)
    let (dry, wet, fed) = (Buses(1), Buses(2), Buses(2))
    let heard = UnsafeMutablePointer<Float>.allocate(capacity: frames)
    defer { unsafe heard.deallocate() }
    // A pan in the middle is 500 of 1001 steps, and the send is full.
    let middle = Float(sin(500 * Double.pi / 2 / 1001))
    var powers = [Double](repeating: 0, count: 4)
    var differences = powers
    for (index, count) in runs.enumerated() {
      if index % 5 == 0 {
        for controller in [91, 93] as [UInt8] {
          synth.apply(.control(channel, Controller(controller), value: 127))
        }
        synth.apply(.noteOn(channel, Key(UInt8(40 + index % 40)), velocity: 100))
      }
      if index % 5 == 3 { synth.apply(.noteOff(channel, Key(UInt8(37 + index % 40)))) }
      if index == resetsAt {
        synth.silence()
        effects.reset()
      }
      for buses in [dry, wet, fed] { buses.clear() }
      unsafe synth.process(
        frameCount: Int32(64 * count), wetCount: 4, wet: wet.pointers, dryCount: 2,
        dry: dry.pointers)
      // The default modulators send 20 % at 127 of 128.
      for frame in 0..<64 * count {
        unsafe heard[frame] = dry[0, frame] / middle * 0.2 * 127 / 128
      }
      unsafe effects.process(
        quantumCount: count, reverb: heard, chorus: heard, wet: fed.pointers)
      for channel in 0..<4 {
        for frame in 0..<64 * count {
          let (one, other) = (Double(wet[channel, frame]), Double(fed[channel, frame]))
          powers[channel] += one * one
          differences[channel] += (one - other) * (one - other)
        }
      }
    }
    return zip(differences, powers).map { 10 * log10($0 / $1) }
  }

  @Test(arguments: [8_000, 22_050, 44_100, 48_000, 65_536, 96_000])
  func `external sound has the same effects as the sound of voices`(hertz: Int) throws {
    var random = SplitMix(seed: 3)
    let runs = (0..<120).map { _ in 1 + Int(random.next() % 32) }
    for decibels in try Self.difference(hertz: hertz, runs: runs) { #expect(decibels < -60) }
  }

  @Test func `after a reset the effects are as at first`() throws {
    let runs = [Int](repeating: 8, count: 100)
    for decibels in try Self.difference(hertz: 48_000, runs: runs, resetsAt: 40) {
      #expect(decibels < -60)
    }
  }

  @Test func `a program of the reverb applies here, too`() throws {
    let hall = try #require(ReverbProgram(gs: 4))
    let runs = [Int](repeating: 3, count: 300)
    for decibels in try Self.difference(hertz: 48_000, runs: runs, reverb: hall) {
      #expect(decibels < -60)
    }
  }

  @Test func `samples that are not numbers do not stay`() throws {
    var effects = try EffectsHandle(hertz: 48_000)
    let (fed, silent) = (Buses(2), UnsafeMutablePointer<Float>.allocate(capacity: Self.frames))
    defer { unsafe silent.deallocate() }
    unsafe silent.initialize(repeating: .nan, count: Self.frames)
    unsafe effects.process(quantumCount: 1, reverb: silent, chorus: silent, wet: fed.pointers)
    unsafe silent.initialize(repeating: 0, count: Self.frames)
    for _ in 0..<400 {
      fed.clear()
      unsafe effects.process(quantumCount: 32, reverb: silent, chorus: silent, wet: fed.pointers)
    }
    for channel in 0..<4 { #expect(abs(fed[channel, 2047]) < 1e-5) }
  }
}
