// SPDX-License-Identifier: Apache-2.0
import AudioProcessing
import Foundation
import MusicalTime
import SoundStreaming
import Synchronization

/// A player of streams that is rendered as fast as its sound arrives, or by an output in real time.
final class StreamRig: @unchecked Sendable {
  // Unchecked: its samples and positions are written by the thread of `hear`, and read after it has
  // ended.

  /// The events reported so far.
  final class Told: Sendable {
    let events = Mutex<[StreamPlayer.Event]>([])

    /// A word for each event, with its main values.
    var words: [String] { events.withLock { $0.map(Self.word) } }

    private static func word(_ event: StreamPlayer.Event) -> String {
      switch event {
      case .opened(let item, let reply): "opened \(item) \(reply.name ?? "")"
      case .fetching(let item, let count): "fetching \(item) \(count)"
      case .playing(let item, let layer, _): "playing \(item) \(layer)"
      case .title(let item, let title): "title \(item) \(title.title)"
      case .interrupted(let item, _, _): "interrupted \(item)"
      case .resumed(let item, let isContinuous): "resumed \(item) \(isContinuous)"
      case .ranDry(let item): "dry \(item)"
      case .wentOn(let item, _): "went on \(item)"
      case .saved(_, let count): "saved \(count)"
      case .notSaved(let error): "not saved \(error)"
      case .ended(let item): "ended \(item)"
      case .left(let item): "left \(item)"
      case .failed(let item, let error): "failed \(item) \(error)"
      }
    }
  }

  let told = Told()
  /// The words of all events so far.
  var words: [String] { told.words }
  let player: StreamPlayer
  /// The left channel of the played sound, unless `keepsSamples` is false.
  private(set) var samples: [Float] = []
  /// The number of frames that were played.
  private(set) var frameCount = 0
  var keepsSamples = true
  /// Words of events, and the frame at which each was reported.
  private(set) var places: [(word: String, frame: Int)] = []
  private var plan: RenderPlan?
  private var frame = 0

  init(
    _ items: [StreamPlayer.Item], rate: SampleRate = .hertz44100,
    settings: StreamSettings = StreamRig.patient
  ) throws {
    let told = told
    player = try StreamPlayer(items, rate: rate, settings: settings) { event in
      told.events.withLock { $0.append(event) }
    }
  }

  static var patient: StreamSettings {
    var settings = StreamSettings()
    settings.http = HTTPSourceTests.patient
    return settings
  }

  /// Transfers the unit between threads, visible to a sanitizer.
  private let turn = Mutex(())

  /// Runs a blocking function on a separate thread, because the player uses those of Swift's tasks.
  static func aside<Value: Sendable>(
    _ body: @escaping @Sendable () throws -> Value
  ) async throws -> Value {
    try await withCheckedThrowingContinuation { waiter in
      Thread.detachNewThread { waiter.resume(with: Result { try body() }) }
    }
  }

  /// Renders until the end, or until some frames are rendered.
  func playToEnd(upTo limit: Int = .max) async throws {
    try await Self.aside { try self.turn.withLock { _ in try self.render(upTo: limit) } }
  }

  private func compiled() throws -> RenderPlan {
    var graph = AudioGraph()
    try graph.setHead(graph.add(player.unit))
    return try graph.compile()
  }

  private func render(upTo limit: Int) throws {
    let plan = try self.plan ?? compiled()
    self.plan = plan
    player.start()
    var idle = 0
    while !player.isOver, frameCount < limit, idle < 60_000 {
      // Less than a quantum is rendered only if nothing follows.
      guard player.unit.prime() >= AudioFormat.quantum || player.isFed else {
        idle += 1
        usleep(1000)
        continue
      }
      let isSound = player.unit.prime() > 0
      plan.render(at: SampleTime(frames: Int64(frame)))
      frame += AudioFormat.quantum
      if isSound {
        if keepsSamples { samples += (0..<AudioFormat.quantum).map { plan.output[0, $0] } }
        frameCount += AudioFormat.quantum
        idle = 0
      } else {
        idle += 1
      }
      player.unit.deliver()
      for word in told.words.dropFirst(places.count) { places.append((word, frameCount)) }
    }
    player.unit.deliver()
    for word in told.words.dropFirst(places.count) { places.append((word, frameCount)) }
  }
}
