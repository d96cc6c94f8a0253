// SPDX-License-Identifier: Apache-2.0
import AVFoundation
import TestSupport
import Testing

/// The sounds that a player reads from a soundfont when it starts.
@Suite struct PlayedSoundTests {
  /// A graph of a synthesiser and a generic output, not initialized yet.
  private final class Graph {
    var graph: AUGraph?
    private var output: AUNode = 0

    init() throws {
      NewAUGraph(&graph)
      var synth: AUNode = 0
      var instrument = AUGraphTests.description(
        kAudioUnitType_MusicDevice, kAudioUnitSubType_DLSSynth)
      var generic = AUGraphTests.description(
        kAudioUnitType_Output, kAudioUnitSubType_GenericOutput)
      AUGraphAddNode(graph, &instrument, &synth)
      AUGraphAddNode(graph, &generic, &output)
      AUGraphConnectNodeInput(graph, synth, 0, output, 0)
      AUGraphOpen(graph)
      var unit: AudioUnit?
      AUGraphNodeInfo(graph, synth, nil, &unit)
      let font = ToolRun.packageFolder.appendingPathComponent("Soundfonts/Downbeat.sf2").path
      var url = Unmanaged.passRetained(NSURL(fileURLWithPath: font))
      defer { url.release() }
      #expect(
        AudioUnitSetProperty(
          unit, kMusicDeviceProperty_SoundBankURL, kAudioUnitScope_Global, 0, &url, 8) == 0)
    }

    deinit { DisposeAUGraph(graph) }

    /// The peak of up to 200 slices.
    func peak() -> Float {
      var unit: AudioUnit?
      AUGraphNodeInfo(graph, output, nil, &unit)
      var peak: Float = 0
      for slice in 0..<200 where peak < 1e-3 {
        let (_, left, _) = AUGraphTests.samples(unit, 512, at: Double(512 * slice))
        peak = max(peak, left.map(abs).max() ?? 0)
        usleep(5000)
      }
      return peak
    }
  }

  /// Adds a program change and a note.
  private func add(_ program: UInt8, _ channel: UInt8, to track: MusicTrack?) {
    var message = MIDIChannelMessage(
      status: 0xC0 | channel, data1: program, data2: 0, reserved: 0)
    MusicTrackNewMIDIChannelEvent(track, 0, &message)
    addNote(track, 60, at: 0, duration: 8, channel: channel)
  }

  @Test func `A graph that a player initializes has the player's sounds, also those added later`()
    throws
  {
    let graph = try Graph()
    let sequence = TestSequence(tracks: 1)
    MusicSequenceSetAUGraph(sequence.handle, graph.graph)
    add(48, 2, to: sequence.tracks[0])
    var player: MusicPlayer?
    NewMusicPlayer(&player)
    defer { DisposeMusicPlayer(player) }
    MusicPlayerSetSequence(player, sequence.handle)
    #expect(MusicPlayerPreroll(player) == 0)
    #expect(MusicPlayerStart(player) == 0)
    #expect(graph.peak() >= 1e-3)
    #expect(MusicPlayerStop(player) == 0)
    MusicTrackClear(sequence.tracks[0], 0, kMusicTimeStamp_EndOfTrack)
    add(73, 5, to: sequence.tracks[0])
    #expect(MusicPlayerSetTime(player, 0) == 0)
    #expect(MusicPlayerStart(player) == 0)
    #expect(graph.peak() >= 1e-3)
    #expect(MusicPlayerStop(player) == 0)
  }
}
