// SPDX-License-Identifier: Apache-2.0
import AVFAudio
import CAllocationCounter
import Foundation
import TestSupport
import Testing

/// Counts what the units of an engine allocate, free and lock when they render: nothing.
@Suite(.enabled(if: callocationcounter_works(), "a sanitizer replaces the allocator"))
struct UnitAllocationTests {
  private struct Scene {
    let engine = AVAudioEngine()
    let format: AVAudioFormat
    let sampler = AVAudioUnitSampler()
    let equalizer = AVAudioUnitEQ(numberOfBands: 2)
    let delay = AVAudioUnitDelay()
    let reverb = AVAudioUnitReverb()
    let distortion = AVAudioUnitDistortion()
    let varispeed = AVAudioUnitVarispeed()
    let player = AVAudioPlayerNode()
    let environment = AVAudioEnvironmentNode()

    init(_ font: URL) throws {
      format = try #require(AVAudioFormat(standardFormatWithSampleRate: 48_000, channels: 2))
      let mono = try #require(AVAudioFormat(standardFormatWithSampleRate: 48_000, channels: 1))
      try engine.enableManualRenderingMode(.realtime, format: format, maximumFrameCount: 512)
      try sampler.loadSoundBankInstrument(at: font, program: 0, bankMSB: 0x79, bankLSB: 0)
      for band in equalizer.bands { band.bypass = false }
      player.renderingAlgorithm = .HRTF
      environment.reverbParameters.enable = true
      let chain: [AVAudioNode] = [sampler, equalizer, delay, reverb, distortion, varispeed]
      for node in chain + [player, environment] { engine.attach(node) }
      for (node, next) in zip(chain, chain.dropFirst() + [engine.mainMixerNode]) {
        engine.connect(node, to: next, format: format)
      }
      engine.connect(player, to: environment, format: mono)
      engine.connect(environment, to: engine.mainMixerNode, format: format)
    }

    /// Changes values and sends events, as a program does between two calls.
    func change(_ round: Int) {
      let part = Float(round % 10) / 10
      sampler.startNote(UInt8(48 + round % 24), withVelocity: 100, onChannel: 0)
      (sampler.stereoPan, sampler.globalTuning) = (part * 100, part * 50)
      (equalizer.bands[0].gain, equalizer.globalGain) = (part * 12, -part)
      (delay.delayTime, reverb.wetDryMix) = (Double(part), part * 100)
      (distortion.preGain, varispeed.rate) = (-part * 20, 0.5 + part)
      (player.reverbBlend, player.position) = (part, AVAudio3DPoint(x: part, y: 0, z: -1))
    }
  }

  @Test func `Instruments, effects and environments render without an allocation or a lock`() throws
  {
    let folder = try ScratchFolder()
    try folder.write(TinySoundFont.bytes, to: "tiny.sf2")
    let scene = try Scene(URL(fileURLWithPath: folder.path("tiny.sf2")))
    let sound = try #require(AVAudioPCMBuffer(pcmFormat: scene.format, frameCapacity: 4800))
    sound.frameLength = 4800
    scene.player.scheduleBuffer(sound, at: nil, options: .loops)
    try scene.engine.start()
    scene.player.play()
    let block = scene.engine.manualRenderingBlock
    let buffer = try #require(AVAudioPCMBuffer(pcmFormat: scene.format, frameCapacity: 512))
    let target = buffer.mutableAudioBufferList
    _ = block(320, target, nil)
    for round in 0..<60 {
      scene.change(round)
      callocationcounter_begin()
      let status = block(320, target, nil)
      let counts = callocationcounter_end()
      #expect(status == .success, "round \(round)")
      #expect(counts.allocations == 0 && counts.frees == 0 && counts.locks == 0, "round \(round)")
    }
    scene.engine.stop()
  }
}
