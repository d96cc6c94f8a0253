// SPDX-License-Identifier: Apache-2.0
import AudioFiles
import AudioProcessing
import Foundation
import Glibc
import MusicalTime
import Synchronization
import TestSupport
import Testing

@testable import SoundStreaming

/// Stations of Icecast's server in each format, with an interruption: all received bytes are
/// played.
@Suite(
  .serialized, .enabled(if: CurlPresence.isInstalled, "no libcurl (make setup-test)"),
  .enabled(if: StreamBytes.isInstalled, "no ffmpeg (make setup-test)"),
  .enabled(if: Icecast.program != nil, "no icecast2 (make setup-test)"))
struct IcecastFormatTests {
  /// A source that stores the bytes of each connection.
  private final class Tap: StreamSource, Sendable {
    let source: HTTPSource
    let parts = Mutex<[[UInt8]]>([[]])

    init(_ address: String, _ settings: HTTPSettings) throws {
      source = try HTTPSource(address, settings: settings)
    }

    var name: String { source.name }
    var traits: StreamTraits { source.traits }
    func seek(to offset: Int64) throws { try source.seek(to: offset) }
    func cancel() { source.cancel() }

    func next() async throws -> StreamEvent? {
      let event: StreamEvent? = try await source.next()
      switch event {
      case .transfer(.bytes(let bytes, _)): parts.withLock { $0[$0.count - 1] += bytes }
      case .transfer(.resumed(isContinuous: false)): parts.withLock { $0.append([]) }
      default: break
      }
      return event
    }
  }

  /// A queue that is filled by an intake and rendered as fast as its sound arrives.
  private final class Player: @unchecked Sendable {
    // Unchecked: one thread renders, and its samples are read after it has ended.
    let unit: SoundQueue
    let words = Mutex<[String]>([])
    let isDone = Atomic(false)
    private(set) var samples: [Float] = []
    private var task: Task<Void, any Error>?

    init(_ tap: Tap, _ settings: StreamSettings, _ rate: SampleRate) throws {
      unit = SoundQueue(name: "stream", rate: rate)
      let report: StreamPlayer.Report = { [weak self] event in
        self?.words.withLock { $0.append("\(event)") }
      }
      let notes = StreamNotes(rate, report)
      unit.observe { notes.take($0) }
      let run = try notes.begin(at: 0, frame: 0, in: unit).run
      let unit = unit
      task = Task.detached { [weak self] in
        defer { self?.isDone.store(true, ordering: .releasing) }
        let feed = QueueFeed(unit, settings, notes, run: run)
        feed.beginItem()
        let intake = StreamIntake(
          tap, item: 0, feed: feed, settings: settings, saving: nil, report: report, from: 0)
        _ = try await intake.run()
        try await feed.end(0, .ended(item: 0))
      }
    }

    /// Renders until the source ends.
    func render() throws {
      var graph = AudioGraph()
      try graph.setHead(graph.add(unit))
      let plan = try graph.compile()
      var frame: Int64 = 0
      while true {
        let isOver = isDone.load(ordering: .acquiring)
        guard unit.prime() >= AudioFormat.quantum || isOver else {
          usleep(1000)
          continue
        }
        guard unit.prime() > 0 else { return }
        plan.render(at: SampleTime(frames: frame))
        frame += Int64(AudioFormat.quantum)
        samples += (0..<AudioFormat.quantum).map { plan.output[0, $0] }
        unit.deliver()
      }
    }
  }

  /// The left channel of the decoded parts, with a discontinuity between them.
  private func decoded(_ parts: [[UInt8]], _ rate: SampleRate) throws -> [Float] {
    var stream = SoundStream()
    stream.takesOtherFormats = true
    var decoder: StreamDecoder?
    var samples: [Float] = []
    func take() throws {
      for packet in stream.takePackets() {
        if decoder == nil, let properties = stream.properties {
          let client = ClientFormat(rate: rate, channelCount: 2, quality: .high)
          decoder = try StreamDecoder(properties, client: client)
        }
        for sound in try decoder?.decode(packet) ?? [] { samples += sound.samples }
      }
    }
    for (index, part) in parts.enumerated() {
      if index > 0 { stream.noteDiscontinuity() }
      stream.append(part)
      try take()
    }
    stream.finish()
    try take()
    for sound in decoder?.finish() ?? [] { samples += sound.samples }
    return stride(from: 0, to: samples.count, by: 2).map { samples[$0] }
  }

  /// Ten seconds with an interruption of one; two minutes with one of five if `DOWNBEAT_LONG` is
  /// set.
  @Test(arguments: Icecast.Format.allCases)
  func `all sound received before and after an interruption is played`(
    format: Icecast.Format
  ) async throws {
    let isLong = ProcessInfo.processInfo.environment["DOWNBEAT_LONG"] != nil
    let icecast = try await StreamRig.aside { try Icecast() }
    try await StreamRig.aside { try icecast.feed(format, title: "Before") }
    var settings = StreamRig.patient
    settings.http.firstPause = .milliseconds(200)
    settings.http.longestPause = .milliseconds(500)
    settings.http.attemptLimit = 1000
    let rate = try #require(SampleRate(hertz: format.hertz))
    let tap = try Tap(icecast.address, settings.http)
    let player = try Player(tap, settings, rate)
    let done = Task { try await StreamRig.aside { try player.render() } }
    try await Task.sleep(for: .seconds(isLong ? 60 : 5))
    icecast.stopFeeding()
    try await Task.sleep(for: .seconds(isLong ? 5 : 1))
    try await StreamRig.aside { try icecast.feed(format, title: "After") }
    try await Task.sleep(for: .seconds(isLong ? 60 : 5))
    tap.cancel()
    try await done.value
    let parts = tap.parts.withLock { $0 }
    #expect(parts.count == 2 && parts.allSatisfy { $0.count > 10_000 })
    let expected = try decoded(parts, rate)
    let played = player.samples
    #expect(Double(expected.count) > Double(isLong ? 110 : 6) * Double(format.hertz))
    #expect(played.count >= expected.count && played.count < expected.count + 128)
    #expect(played.starts(with: expected))
    // FFmpeg's program finds the same number of frames in each part, except for the packets at its
    // ends.
    let counts = try parts.map { try witnessCount($0, format) }
    let difference = abs(counts.reduce(0, +) - expected.count)
    #expect(difference <= 8 * 1152, "\(counts) \(expected.count)")
    guard ![.mp3, .aac].contains(format) else { return }
    let titles = player.words.withLock { $0 }.filter { $0.hasPrefix("title") }
    #expect(titles.count == 2 && titles[0].contains("Before") && titles[1].contains("After"))
  }

  private func witnessCount(_ bytes: [UInt8], _ format: Icecast.Format) throws -> Int {
    let folder = try ScratchFolder()
    let suffix = ["mp3": "mp3", "aac": "aac"][format.rawValue] ?? "ogg"
    let path = try folder.write("part.\(suffix)", bytes)
    let run = try ToolRun(
      [
        "-v", "quiet", "-i", path, "-f", "f32le", "-ac", "1", "-y", folder.path("raw"),
      ], command: "/usr/bin/ffmpeg", limit: 60)
    _ = run
    return try Data(contentsOf: URL(fileURLWithPath: folder.path("raw"))).count / 4
  }
}
