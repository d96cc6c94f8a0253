// SPDX-License-Identifier: Apache-2.0
import AudioToolbox
import Foundation
import TestSupport
import Testing

/// Changes between the states of graphs, and the initial values of units.
@Suite struct GraphStateTests {
  private func states(_ graph: AUGraph?) -> [Bool] {
    var (open, ready, running): (DarwinBoolean, DarwinBoolean, DarwinBoolean) = (
      false, false, false
    )
    #expect(AUGraphIsOpen(graph, &open) == 0)
    #expect(AUGraphIsInitialized(graph, &ready) == 0)
    #expect(AUGraphIsRunning(graph, &running) == 0)
    return [open.boolValue, ready.boolValue, running.boolValue]
  }

  @Test func `A graph is opened, initialized and started, and closed in any order`() {
    let studio = AUGraphTests.Studio()
    let graph = studio.graph
    #expect(states(graph) == [false, false, false])
    #expect(AUGraphInitialize(graph) == kAudioUnitErr_Uninitialized)
    #expect(AUGraphStart(graph) != 0)
    #expect(studio.unit(studio.mixer) == nil)
    #expect(AUGraphOpen(graph) == 0)
    #expect(studio.unit(studio.mixer) != nil)
    #expect(AUGraphInitialize(graph) == 0)
    #expect(AUGraphStart(graph) == 0)
    #expect(states(graph) == [true, true, true])
    #expect(AUGraphStop(graph) == 0)
    #expect(states(graph) == [true, true, false])
    #expect(AUGraphUninitialize(graph) == 0)
    #expect(states(graph) == [true, false, false])
    #expect(AUGraphClose(graph) == 0)
    #expect(states(graph) == [false, false, false])
    // A graph that is closed while it is running stops first.
    for step in [AUGraphOpen, AUGraphInitialize, AUGraphStart, AUGraphClose] {
      #expect(step(graph) == 0)
    }
    #expect(states(graph) == [false, false, false])
  }

  @Test func `A node returns its description, and each result pointer may be nil`() {
    let studio = AUGraphTests.Studio()
    AUGraphOpen(studio.graph)
    var description = AudioComponentDescription()
    #expect(AUGraphNodeInfo(studio.graph, studio.mixer, &description, nil) == 0)
    #expect(description.componentSubType == kAudioUnitSubType_MultiChannelMixer)
    #expect(AUGraphNodeInfo(studio.graph, studio.mixer, nil, nil) == 0)
    #expect(AUGraphNodeInfo(studio.graph, 99, nil, nil) == kAUGraphErr_NodeNotFound)
  }

  @Test func `A callback replaces a connection, and both are removed in the same way`() {
    let studio = AUGraphTests.Studio()
    var callback = AURenderCallbackStruct(
      inputProc: { _, _, _, _, frames, list in
        for buffer in AUGraphTests.buffers(list) {
          let samples = buffer.mData?.assumingMemoryBound(to: Float.self)
          for frame in 0..<Int(frames) { samples?[frame] = 0.125 }
        }
        return 0
      }, inputProcRefCon: nil)
    #expect(AUGraphSetNodeInputCallback(studio.graph, studio.output, 0, &callback) == 0)
    AUGraphOpen(studio.graph)
    AUGraphInitialize(studio.graph)
    #expect(studio.render().1 == 0.125)
    var count: UInt32 = 0
    #expect(AUGraphCountNodeInteractions(studio.graph, studio.output, &count) == 0)
    #expect(count == 1)
    #expect(AUGraphDisconnectNodeInput(studio.graph, studio.output, 0) == 0)
    #expect(AUGraphUpdate(studio.graph, nil) == 0)
    #expect(studio.render().0 == kAudioUnitErr_NoConnection)
  }

  @Test func `A node is removed with its connections and callbacks`() {
    let studio = AUGraphTests.Studio()
    var count: UInt32 = 0
    #expect(AUGraphGetNumberOfInteractions(studio.graph, &count) == 0)
    #expect(count == 3)
    var interactions = [AUNodeInteraction](repeating: AUNodeInteraction(), count: 4)
    count = 4
    #expect(AUGraphGetNodeInteractions(studio.graph, studio.mixer, &count, &interactions) == 0)
    #expect(count == 3)
    #expect(AUGraphRemoveNode(studio.graph, studio.mixer) == 0)
    #expect(AUGraphGetNumberOfInteractions(studio.graph, &count) == 0)
    #expect(count == 0)
    #expect(
      AUGraphDisconnectNodeInput(studio.graph, studio.output, 0) == kAUGraphErr_InvalidConnection)
    let other = AUGraphTests.Studio()
    #expect(AUGraphClearConnections(other.graph) == 0)
    #expect(AUGraphGetNumberOfInteractions(other.graph, &count) == 0)
    #expect(count == 0)
  }

  @Test func `A notification may apply the edits of a running graph`() {
    final class Update {
      var graph: AUGraph?
      var status: OSStatus = 9
    }
    let studio = AUGraphTests.Studio()
    AUGraphOpen(studio.graph)
    AUGraphInitialize(studio.graph)
    AUGraphStart(studio.graph)
    _ = studio.render()
    let update = Update()
    update.graph = studio.graph
    AUGraphAddRenderNotify(
      studio.graph,
      { data, flags, _, _, _, _ in
        let update = Unmanaged<Update>.fromOpaque(data).takeUnretainedValue()
        if flags.pointee.contains(.unitRenderAction_PostRender) {
          update.status = AUGraphUpdate(update.graph, nil)
        }
        return 0
      }, Unmanaged.passUnretained(update).toOpaque())
    #expect(AUGraphDisconnectNodeInput(studio.graph, studio.mixer, 0) == 0)
    #expect(studio.render().1 == 0.75)
    #expect(update.status == 0)
    #expect(studio.render().1 == 0.25)
    AUGraphStop(studio.graph)
  }

  @Test func `An output can be connected to one input only`() {
    let studio = AUGraphTests.Studio()
    var (second, node) = (
      AUGraphTests.description(kAudioUnitType_Mixer, kAudioUnitSubType_MultiChannelMixer),
      AUNode(0)
    )
    AUGraphAddNode(studio.graph, &second, &node)
    #expect(
      AUGraphConnectNodeInput(studio.graph, studio.mixer, 0, node, 0)
        == kAUGraphErr_InvalidConnection)
  }

  @Test func `The load is a share of time, as average and maximum, and 0 if the graph is stopped`()
    async throws
  {
    var graph: AUGraph?
    NewAUGraph(&graph)
    defer { DisposeAUGraph(graph) }
    var output: AUNode = 0
    var device = AUGraphTests.description(
      kAudioUnitType_Output, kAudioUnitSubType_DefaultOutput)
    AUGraphAddNode(graph, &device, &output)
    // A few microseconds per slice, so that the load can be measured.
    var callback = AURenderCallbackStruct(
      inputProc: { _, _, _, _, _, _ in
        let end = mach_absolute_time() + 50_000
        while mach_absolute_time() < end {}
        return 0
      }, inputProcRefCon: nil)
    AUGraphSetNodeInputCallback(graph, output, 0, &callback)
    var (average, most): (Float32, Float32) = (9, 9)
    #expect(AUGraphGetCPULoad(graph, &average) == 0)
    #expect(AUGraphGetMaxCPULoad(graph, &most) == 0)
    #expect(average == 0 && most == 0)
    AUGraphOpen(graph)
    AUGraphInitialize(graph)
    #expect(AUGraphStart(graph) == 0)
    await wait {
      AUGraphGetCPULoad(graph, &average)
      return average != 0 && average != 9
    }
    #expect(AUGraphGetMaxCPULoad(graph, &most) == 0)
    #expect(average > 0 && most >= 50_000 * 44_100 / 64 / 1e9 / 2 && most >= average / 2)
    #expect(AUGraphStop(graph) == 0)
    #expect(AUGraphGetCPULoad(graph, &average) == 0)
    #expect(average == 0)
  }

  @Test func `The volume of a mixer is any number, and the pan of a stereo mixer is 0 to 1`() {
    let studio = AUGraphTests.Studio()
    AUGraphOpen(studio.graph)
    let mixer = studio.unit(studio.mixer)
    var value: Float = 9
    for volume in [Float(-2), 0, 17] {
      #expect(AudioUnitSetParameter(mixer, 0, kAudioUnitScope_Input, 1, volume, 0) == 0)
      #expect(AudioUnitGetParameter(mixer, 0, kAudioUnitScope_Input, 1, &value) == 0)
      #expect(value == volume)
    }
    #expect(AudioUnitSetParameter(mixer, 0, kAudioUnitScope_Input, 1, .infinity, 0) == -50)
    var wanted = AUGraphTests.description(kAudioUnitType_Mixer, kAudioUnitSubType_StereoMixer)
    var stereo: AudioUnit?
    AudioComponentInstanceNew(AudioComponentFindNext(nil, &wanted), &stereo)
    defer { AudioComponentInstanceDispose(stereo) }
    let pan = kStereoMixerParam_Pan
    #expect(AudioUnitGetParameter(stereo, pan, kAudioUnitScope_Input, 0, &value) == 0)
    #expect(value == 0.5)
    #expect(AudioUnitSetParameter(stereo, pan, kAudioUnitScope_Input, 0, 2, 0) == 0)
    #expect(AudioUnitGetParameter(stereo, pan, kAudioUnitScope_Input, 0, &value) == 0)
    #expect(value == 1)
  }

  static let bounds: [(AudioUnitParameterID, ClosedRange<Float>)] = [
    (kMusicDeviceParam_Tuning, -1200...1200), (kMusicDeviceParam_Volume, -120...40),
    (kMusicDeviceParam_ReverbVolume, -120...40),
  ]

  @Test(arguments: bounds)
  func `Parameters of a synthesiser are 0 by default and stay in their range`(
    parameter: AudioUnitParameterID, bounds: ClosedRange<Float>
  ) {
    for subtype in [kAudioUnitSubType_DLSSynth, kAudioUnitSubType_MIDISynth] {
      var wanted = AUGraphTests.description(kAudioUnitType_MusicDevice, subtype)
      var synth: AudioUnit?
      AudioComponentInstanceNew(AudioComponentFindNext(nil, &wanted), &synth)
      defer { AudioComponentInstanceDispose(synth) }
      var value: Float = 9
      #expect(AudioUnitGetParameter(synth, parameter, kAudioUnitScope_Global, 0, &value) == 0)
      #expect(value == 0)
      let given = [bounds.lowerBound - 1, -7, bounds.upperBound + 1]
      for (given, kept) in zip(given, [bounds.lowerBound, -7, bounds.upperBound]) {
        #expect(AudioUnitSetParameter(synth, parameter, kAudioUnitScope_Global, 0, given, 0) == 0)
        #expect(AudioUnitGetParameter(synth, parameter, kAudioUnitScope_Global, 0, &value) == 0)
        #expect(value == kept)
      }
      #expect(
        AudioUnitSetParameter(synth, 3, kAudioUnitScope_Global, 0, 1, 0)
          == kAudioUnitErr_InvalidParameter)
      #expect(AudioUnitSetParameter(synth, 7, kAudioUnitScope_Group, 2, 100, 0) == 0)
      var flag: UInt32 = 9
      var size: UInt32 = 4
      #expect(
        AudioUnitGetProperty(synth, kMusicDeviceProperty_UsesInternalReverb, 0, 0, &flag, &size)
          == 0)
      #expect(flag == 1)
      #expect(
        AudioUnitSetProperty(synth, kAUMIDISynthProperty_EnablePreload, 0, 0, &flag, 4) == 0)
    }
  }

  @Test func `An output has a volume of 1, also while it is stopped, and does not record`() {
    var wanted = AUGraphTests.description(kAudioUnitType_Output, kAudioUnitSubType_DefaultOutput)
    var output: AudioUnit?
    AudioComponentInstanceNew(AudioComponentFindNext(nil, &wanted), &output)
    defer { AudioComponentInstanceDispose(output) }
    var volume: Float = 9
    #expect(AudioUnitGetParameter(output, kHALOutputParam_Volume, 0, 0, &volume) == 0)
    #expect(volume == 1)
    var flag: UInt32 = 9
    var size: UInt32 = 4
    #expect(
      AudioUnitGetProperty(output, kAudioOutputUnitProperty_IsRunning, 0, 0, &flag, &size) == 0)
    #expect(flag == 0)
    for (scope, isOn) in [(kAudioUnitScope_Output, UInt32(1)), (kAudioUnitScope_Input, 0)] {
      let property = kAudioOutputUnitProperty_EnableIO
      #expect(AudioUnitGetProperty(output, property, scope, 0, &flag, &size) == 0)
      #expect(flag == isOn)
    }
  }
}
