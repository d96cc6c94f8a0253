// SPDX-License-Identifier: Apache-2.0
internal import AudioFiles
public import AudioProcessing
public import MusicalTime
internal import Synchronization

/// Plays addresses and files, one after another, as one unit of a graph with a stereo bus.
///
/// MP3, and AAC in ADTS, sound as they come, after half a second of them is there; other files are
/// fetched whole first. What is ahead is bounded: where sound is not taken, the server waits. A
/// connection that is lost is made anew while what is there goes on sounding; where that does not
/// last, it is silent, says so, and goes on once there is half a second again. What happens is told
/// by a closure: what belongs to a place of the sound, such as a station's title, when that is heard.
///
/// ```swift
/// let player = try StreamPlayer([.address("http://radio.example/live.mp3")], rate: .hertz48000) {
///   if case .title(_, let title) = $0 { print(title.title) }
/// }
/// try player.unit.follow(output, telling: .heard)
/// player.start()
/// ```
///
/// - Note: Any thread. The closure is called on threads of its own, and may not wait.
public final class StreamPlayer: Sendable {
  /// What is called with each event.
  public typealias Report = @Sendable (Event) -> Void

  /// The unit to be rendered: gain, pan, pausing and levels are its own.
  ///
  /// Somebody must call its `deliver`, or have it `follow` the output.
  public let unit: SoundQueue
  /// What is played.
  public let items: [Item]
  private let settings: StreamSettings
  private let notes: StreamNotes
  private let report: Report
  private let task = Mutex<Task<Void, Never>?>(nil)
  private let isFed = Atomic(false)

  /// Prepares to play; nothing is opened and nothing sent.
  ///
  /// - Parameters:
  ///   - items: what is played, in order.
  ///   - rate: the output's.
  ///   - settings: how much is kept.
  ///   - report: is told of what happens.
  /// - Throws: `HTTPError.badAddress` for the first that is none.
  public init(
    _ items: [Item], rate: SampleRate, settings: StreamSettings = StreamSettings(),
    report: @escaping Report
  ) throws(HTTPError) {
    for case .address(let address) in items { try HTTPSource.check(address) }
    self.items = items
    self.settings = settings
    self.report = report
    unit = SoundQueue(name: "stream", rate: rate)
    let notes = StreamNotes(rate, report)
    self.notes = notes
    unit.observe { notes.take($0) }
  }

  deinit { stop() }

  /// Begins to open, fetch and decode; a second call does nothing.
  public func start() {
    task.withLock { task in
      guard task == nil else { return }
      let (items, unit, settings) = (items, unit, settings)
      let (notes, report) = (notes, report)
      task = Task.detached { [weak self] in
        let feed = QueueFeed(unit, settings, notes)
        for (number, item) in items.enumerated() where !Task.isCancelled {
          await StreamItem(number, feed, settings, report).play(item)
        }
        self?.isFed.store(true, ordering: .releasing)
      }
    }
  }

  /// Ends all transfers; what was decoded stays in the unit.
  public func stop() {
    task.withLock { $0?.cancel() }
  }

  /// Whether all was decoded, and rendered to its end.
  public var isOver: Bool { isFed.load(ordering: .acquiring) && unit.waitingCount == 0 }
}
