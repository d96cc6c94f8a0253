// SPDX-License-Identifier: Apache-2.0
import AVFAudio
import CAllocationCounter
import Foundation
import TestSupport
import Testing

/// Counts what the block of manual rendering allocates, frees and locks: nothing.
@Suite(.enabled(if: callocationcounter_works(), "a sanitizer replaces the allocator"))
struct EngineAllocationTests {
  @Test func `Players, sources, sinks, inputs and taps render without an allocation or a lock`()
    throws
  {
    let engine = try EngineScene.manualEngine(.realtime)
    let format = try EngineScene.format()
    let (player, mixer) = (AVAudioPlayerNode(), AVAudioMixerNode())
    let source = AVAudioSourceNode(format: format) { _, _, count, list in
      for buffer in UnsafeMutableAudioBufferListPointer(list) {
        UnsafeMutableBufferPointer<Float>(buffer)[0] = Float(count) / 100
      }
      return noErr
    }
    let sink = AVAudioSinkNode { _, _, _ in noErr }
    let sound = try EngineScene.sound(64, step: 0.1, format)
    let list = sound.audioBufferList
    #expect(engine.inputNode.setManualRenderingInputPCMFormat(format) { _ in list })
    for node in [player, mixer, source, sink] { engine.attach(node) }
    engine.connect(player, to: mixer, format: format)
    engine.connect(source, to: mixer, format: format)
    engine.connect(engine.inputNode, to: mixer, format: format)
    engine.connect(
      mixer,
      to: [
        AVAudioConnectionPoint(node: engine.mainMixerNode, bus: 0),
        AVAudioConnectionPoint(node: sink, bus: 0),
      ], fromBus: 0, format: format)
    mixer.installTap(onBus: 0, bufferSize: 256, format: nil) { _, _ in }
    try engine.start()
    let block = engine.manualRenderingBlock
    let buffer = try #require(AVAudioPCMBuffer(pcmFormat: format, frameCapacity: 512))
    let target = buffer.mutableAudioBufferList
    _ = block(64, target, nil)
    var random = SplitMix(seed: 1)
    for round in 0..<100 {
      command(player, round, try EngineScene.sound(300, step: 0.1, format), &random)
      callocationcounter_begin()
      let status = block(320, target, nil)
      let counts = callocationcounter_end()
      #expect(status == .success, "round \(round)")
      #expect(counts.allocations == 0 && counts.frees == 0 && counts.locks == 0, "round \(round)")
    }
    engine.stop()
  }

  private func command(
    _ player: AVAudioPlayerNode, _ round: Int, _ sound: AVAudioPCMBuffer, _ random: inout SplitMix
  ) {
    switch round % 8 {
    case 0: player.play()
    case 1: player.scheduleBuffer(sound, at: nil, options: .loops)
    case 2: player.scheduleBuffer(sound, at: nil, options: .interruptsAtLoop)
    case 3: player.scheduleBuffer(sound, at: nil, options: .interrupts)
    case 4: player.pause()
    case 5: player.play()
    case 6: player.volume = Float.random(in: 0...1, using: &random)
    default: player.stop()
    }
  }
}
