// SPDX-License-Identifier: Apache-2.0
import Foundation
import MusicalTime
import TestSupport
import Testing

/// Gene De Lisa's examples of Core Audio's music services in Swift, MusicSequence and
/// MusicSequenceAUGraph, without their views.
///
/// The sources are converted to today's Swift by rules, and compiled against the built modules.
@Suite struct DeLisaTests {
  /// The folder of the examples, in `DOWNBEAT_CLIENTS` or next to the checkout.
  private static let folder = URL(
    fileURLWithPath: ProcessInfo.processInfo.environment["DOWNBEAT_CLIENTS"]
      ?? ToolRun.packageFolder.appendingPathComponent("../shared/clients").path
  ).appendingPathComponent("delisa")

  private static let isThere = FileManager.default.fileExists(atPath: folder.path)

  private static let sources = [
    "MusicSequence/MusicSequence/MIDIFrobs.swift",
    "MusicSequence/MusicSequence/MIDISequence.swift",
    "MusicSequenceAUGraph/MusicSequenceAUGraph/SoundGenerator.swift",
  ]

  @Test(.enabled(if: isThere, "no clients' sources (set DOWNBEAT_CLIENTS)"))
  func `De Lisa's examples load, print and play a song with the rendered samples`() throws {
    let scratch = try ScratchFolder()
    var files: [String] = []
    for source in Self.sources {
      let old = try String(
        contentsOf: Self.folder.appendingPathComponent(source), encoding: .utf8)
      let file = scratch.path(URL(fileURLWithPath: source).lastPathComponent)
      try SwiftMigration.migrated(old).write(toFile: file, atomically: true, encoding: .utf8)
      files.append(file)
    }
    for (name, text) in [("names", SwiftMigration.names), ("main", Self.program)] {
      files.append(scratch.path(name + ".swift"))
      try text.write(toFile: scratch.path(name + ".swift"), atomically: true, encoding: .utf8)
    }
    // The files that the examples expect in their folder.
    let song = ToolRun.packageFolder.appendingPathComponent("Songs/rag.mid").path
    try FileManager.default.copyItem(atPath: song, toPath: scratch.path("ntbldmtn.mid"))
    try FileManager.default.copyItem(
      atPath: SongGraph.font, toPath: scratch.path("GeneralUser GS MuseScore v1.442.sf2"))
    let command = scratch.path("delisa")
    try BuiltModules(of: "downbeat-fuzz").compile(
      files, to: command, ["-swift-version", "5", "-suppress-warnings"])
    let run = try ToolRun(
      [SongGraph.font, scratch.path("samples")], environment: ["TMPDIR": scratch.path("")],
      command: command)
    #expect(run.status == 0, "\(run.errors)")
    #expect(run.text.contains("There are 1 tracks"))
    #expect(run.text.contains("Note message 60, vel 64 dur 1.0 at time 1.0"))
    #expect(run.text.contains("track length is 14.0"))
    #expect(run.text.contains("the scale sounds: true"))
    #expect(!run.text.contains("bad status") && !run.text.contains("huh?"))
    let bytes = try Data(contentsOf: URL(fileURLWithPath: scratch.path("samples")))
    let heard = bytes.withUnsafeBytes { Array($0.bindMemory(to: Float.self)) }
    let expected = try GraphPlayerTests.rendered(
      "rag", rate: .hertz44100, frames: heard.count / 2)
    #expect(heard.count == 2 * 3 * 44_100)
    #expect(heard == expected)
  }

  /// The functions of the views: a song is loaded, printed and played, a scale is written and
  /// printed, and another is played through the examples' graph.
  private static let program = """
    import AudioToolbox
    import Foundation

    let frobs = MIDIFrobs()
    for index in 0..<frobs.getNumberOfTracks() {
      print("track", index, frobs.getMIDINoteMessages(index).count, frobs.getEvents(index).count)
    }
    func node(_ graph: AUGraph?, _ type: OSType, _ subtype: OSType) -> AUNode {
      var description = AudioComponentDescription(
        componentType: type, componentSubType: subtype,
        componentManufacturer: kAudioUnitManufacturer_Apple, componentFlags: 0,
        componentFlagsMask: 0)
      var node: AUNode = 0
      AUGraphAddNode(graph, &description, &node)
      return node
    }
    var graph: AUGraph?
    NewAUGraph(&graph)
    let synth = node(graph, kAudioUnitType_MusicDevice, kAudioUnitSubType_DLSSynth)
    let output = node(graph, kAudioUnitType_Output, kAudioUnitSubType_GenericOutput)
    AUGraphConnectNodeInput(graph, synth, 0, output, 0)
    AUGraphOpen(graph)
    var (synthUnit, outputUnit): (AudioUnit?, AudioUnit?) = (nil, nil)
    AUGraphNodeInfo(graph, synth, nil, &synthUnit)
    AUGraphNodeInfo(graph, output, nil, &outputUnit)
    var font = Unmanaged.passRetained(NSURL(fileURLWithPath: CommandLine.arguments[1]))
    AudioUnitSetProperty(synthUnit, kMusicDeviceProperty_SoundBankURL, 0, 0, &font, 8)
    MusicSequenceSetAUGraph(frobs.currentMusicSequence, graph)
    frobs.setPlayerSequence(frobs.currentMusicSequence)
    frobs.togglePlaying()
    var samples: [Float] = []
    var stamp = AudioTimeStamp()
    stamp.mFlags = .sampleTimeValid
    for _ in 0..<300 {
      var slice = [Float](repeating: 0, count: 2 * 441)
      slice.withUnsafeMutableBytes { bytes in
        var list = AudioBufferList(
          mNumberBuffers: 1,
          mBuffers: AudioBuffer(
            mNumberChannels: 2, mDataByteSize: UInt32(bytes.count), mData: bytes.baseAddress))
        AudioUnitRender(outputUnit, nil, &stamp, 0, 441, &list)
      }
      stamp.mSampleTime += 441
      samples += slice
    }
    frobs.stopPlaying()
    try samples.withUnsafeBytes { Data($0) }.write(
      to: URL(fileURLWithPath: CommandLine.arguments[2]))

    let scale = MIDISequence()
    for (index, note) in [60, 62, 64, 65, 67, 69, 71, 72].enumerated() {
      scale.addNoteToTrack(
        0, beat: Float(index + 1), channel: 0, note: note, velocity: 64, releaseVelocity: 0,
        duration: 1)
    }
    scale.display()

    let generator = SoundGenerator()
    final class Level { var peak: Float = 0 }
    let level = Level()
    AUGraphAddRenderNotify(
      generator.processingGraph,
      { data, flags, _, _, frames, list in
        guard flags.pointee.contains(.unitRenderAction_PostRender), let list else { return 0 }
        let samples = list.pointee.mBuffers.mData?.assumingMemoryBound(to: Float.self)
        let level = Unmanaged<Level>.fromOpaque(data).takeUnretainedValue()
        for frame in 0..<Int(frames) { level.peak = max(level.peak, abs(samples?[frame] ?? 0)) }
        return 0
      }, Unmanaged.passUnretained(level).toOpaque())
    _ = generator.getTrackLength()
    generator.play()
    for _ in 0..<6000 where level.peak < 0.001 { usleep(10_000) }
    generator.stop()
    print("the scale sounds:", level.peak >= 0.001)
    """
}
