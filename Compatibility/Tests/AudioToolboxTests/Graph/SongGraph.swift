// SPDX-License-Identifier: Apache-2.0
import AudioToolbox
import Foundation
import TestSupport

/// A graph of a synthesiser with the project's soundfont, a mixer, and an output that the program
/// renders.
final class SongGraph {
  private(set) var graph: AUGraph?
  private(set) var synth: AUNode = 0
  private(set) var mixer: AUNode = 0
  private(set) var output: AUNode = 0
  private var position = 0.0

  static let font = ToolRun.packageFolder.appendingPathComponent("Soundfonts/Downbeat.sf2").path

  init(rate: Double) {
    NewAUGraph(&graph)
    synth = add(kAudioUnitType_MusicDevice, kAudioUnitSubType_DLSSynth)
    mixer = add(kAudioUnitType_Mixer, kAudioUnitSubType_MultiChannelMixer)
    output = add(kAudioUnitType_Output, kAudioUnitSubType_GenericOutput)
    AUGraphConnectNodeInput(graph, synth, 0, mixer, 0)
    AUGraphConnectNodeInput(graph, mixer, 0, output, 0)
    AUGraphOpen(graph)
    for node in [synth, mixer, output] {
      var rate = rate
      AudioUnitSetProperty(
        unit(node), kAudioUnitProperty_SampleRate, kAudioUnitScope_Output, 0, &rate, 8)
    }
    var url = Unmanaged.passRetained(NSURL(fileURLWithPath: Self.font))
    defer { url.release() }
    AudioUnitSetProperty(
      unit(synth), kMusicDeviceProperty_SoundBankURL, kAudioUnitScope_Global, 0, &url, 8)
  }

  deinit { DisposeAUGraph(graph) }

  private func add(_ type: OSType, _ subtype: OSType) -> AUNode {
    var description = AUGraphTests.description(type, subtype)
    var node: AUNode = 0
    AUGraphAddNode(graph, &description, &node)
    return node
  }

  func unit(_ node: AUNode) -> AudioUnit? {
    var unit: AudioUnit?
    AUGraphNodeInfo(graph, node, nil, &unit)
    return unit
  }

  /// Renders frames in slices, interleaved; nil if a slice cannot be rendered.
  func render(_ frames: Int, slice: Int) -> [Float]? {
    var samples: [Float] = []
    while samples.count < 2 * frames {
      let count = min(slice, frames - samples.count / 2)
      let (status, left, right) = AUGraphTests.samples(unit(output), count, at: position)
      guard status == 0 else { return nil }
      for frame in 0..<count { samples += [left[frame], right[frame]] }
      position += Double(count)
    }
    return samples
  }
}
