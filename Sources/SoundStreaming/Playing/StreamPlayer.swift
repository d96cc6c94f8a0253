// SPDX-License-Identifier: Apache-2.0
internal import AudioFiles
public import AudioProcessing
internal import Glibc
public import MusicalTime
internal import Synchronization

/// Plays web addresses, pipes and files one after another, as a unit of an audio graph with a
/// stereo bus.
///
/// Formats that `SoundStream` supports, and HTTP Live Streaming, are played while they arrive.
/// Playback starts when half a second of sound is available; for broadcasts, when 40 ms are
/// available; and for pipes, after their second piece. Files in other formats are downloaded first.
/// The player decodes sound in advance for a limited time; then the sender must wait. A lost
/// connection is re-established while the remaining sound is played. After a gap the player
/// continues when it has a reserve of sound, which is larger after each gap of an item. Events are
/// reported to a closure. Events that belong to a position, such as a station's title, are reported
/// when the position is audible.
///
/// ```swift
/// let player = try StreamPlayer([.address("http://radio.example/live.mp3")], rate: .hertz48000) {
///   if case .title(_, let title) = $0 { print(title.title) }
/// }
/// try player.unit.follow(output, telling: .heard)
/// player.start()
/// ```
///
/// - Note: Safe to use from any thread. The closure is called on threads of the player, and must
///   not block.
public final class StreamPlayer: Sendable {
  /// A function that is called with each event.
  public typealias Report = @Sendable (Event) -> Void

  /// The unit to add to an audio graph; it has the gain, pan and levels.
  ///
  /// Call the unit's `follow` with the output, or its `deliver` regularly.
  public let unit: SoundQueue
  /// The items, in the order in which they are played.
  public let items: [Item]
  private let settings: StreamSettings
  private let notes: StreamNotes
  private let report: Report
  private let fetched = FetchedFiles()
  private let saving: StreamSaving?
  private let task = Mutex<Task<Void, Never>?>(nil)
  /// The last run whose items were all decoded.
  private let fedRun = Atomic(0)

  /// Creates a player.
  ///
  /// The player does not open files or send requests before `start()`.
  ///
  /// - Parameters:
  ///   - items: The items to play, in order.
  ///   - rate: The sample rate of the output.
  ///   - settings: The settings of all items.
  ///   - report: Called with each event.
  /// - Throws: `HTTPError.badAddress` for the first invalid address; `.cannotKeep` if the file for
  ///   a copy cannot be created.
  public init(
    _ items: [Item], rate: SampleRate, settings: StreamSettings = StreamSettings(),
    report: @escaping Report
  ) throws(HTTPError) {
    for case .address(let address) in items { try HTTPSource.check(address) }
    saving = try settings.copy.map { wish throws(HTTPError) in try StreamSaving(wish) }
    self.items = items
    self.settings = settings
    self.report = report
    unit = SoundQueue(name: "stream", rate: rate)
    let notes = StreamNotes(rate, report)
    self.notes = notes
    unit.observe { notes.take($0) }
  }

  deinit { stop() }

  /// Starts to open, receive and decode the first item.
  ///
  /// Later calls do not have an effect.
  public func start() {
    task.withLock { task in
      guard task == nil else { return }
      do {
        let run = try notes.begin(at: 0, frame: 0, in: unit).run
        task = feed(run, from: 0, seconds: 0, after: nil)
        loadCodecs()
      } catch {
        // A new queue accepts every command.
      }
    }
  }

  /// Loads the codec libraries while the server replies.
  private func loadCodecs() {
    guard case .address = items.first else { return }
    Task.detached { for library in [SoundLibrary.ffmpeg, .soxr] { _ = library.version } }
  }

  /// Ends all transfers.
  ///
  /// Sound that was already decoded remains in the unit and is played.
  public func stop() {
    task.withLock { $0?.cancel() }
  }

  /// Ends all transfers, and waits until the copy is complete or removed.
  ///
  /// - Note: The call blocks the thread until the file is written. Do not call it from a task.
  public func stopAndSave() {
    let task = task.withLock { task in
      task?.cancel()
      return task
    }
    guard saving != nil, let task else { return }
    let isDone = Done()
    Task.detached {
      await task.value
      isDone.flag.store(true, ordering: .releasing)
    }
    while !isDone.flag.load(ordering: .acquiring) { usleep(1000) }
  }

  private final class Done: Sendable {
    let flag = Atomic(false)
  }

  /// True if all items were decoded and rendered to their end.
  public var isOver: Bool { isFed && unit.waitingCount == 0 }

  /// True if everything was decoded.
  package var isFed: Bool {
    let run = fedRun.load(ordering: .acquiring)
    return run > 0 && notes.isLast(run)
  }
}

// Position and seeking.
extension StreamPlayer {
  /// The position of a player.
  public struct Place: Hashable, Sendable {
    /// The index of the item, counted from 0.
    public let item: Int
    /// The position in the item, in seconds; for a station, the time since the connection was made.
    public let seconds: Double
    /// The duration of the item in seconds; nil for a station, and if it is unknown.
    ///
    /// For MP3 and ADTS the duration is an estimate, unless the encoder stated the length.
    public let duration: Double?
    /// True if the player can seek in the item.
    public let isSeekable: Bool
  }

  /// The position after the last rendered quantum.
  public var place: Place {
    let (item, frame) = notes.place(unit)
    let length = notes.length(of: item)
    return Place(
      item: item, seconds: Double(frame) / Double(unit.rate?.hertz ?? 48_000),
      duration: length?.seconds, isSeekable: length?.isSeekable ?? false)
  }

  /// Pauses playback, or continues it at the same position.
  ///
  /// During a pause, connections stay open and servers must wait. If a server disconnects, the
  /// request is repeated when playback continues. For a station, the sound of the pause is then
  /// missing, which is reported.
  ///
  /// - Throws: `SoundQueueError.notRendered` if too many commands wait because the unit is not
  ///   rendered.
  public func setPaused(_ isPaused: Bool) throws(SoundQueueError) {
    try notes.setPaused(isPaused, unit)
  }

  /// Moves to an item, or to a position in an item.
  ///
  /// The current sound fades out in 5 ms, and decoded sound is dropped. If the server supports
  /// range requests, only the sound from the position on is downloaded; if not, everything before
  /// the position is downloaded, too. Positions in MP3 and ADTS are calculated from the mean size
  /// of a packet, or from an encoder's table of contents, so they are approximate. A station is
  /// received again from its current position.
  ///
  /// - Parameters:
  ///   - item: The index of the item.
  ///   - seconds: The position in the item, in seconds; clamped to the length of the item.
  /// - Precondition: The index is in range, and the player was started.
  /// - Throws: `SoundQueueError.notRendered` if too many commands wait because the unit is not
  ///   rendered.
  public func go(to item: Int, seconds: Double = 0) throws(SoundQueueError) {
    precondition(items.indices.contains(item), "item index out of range")
    let seconds = min(max(0, seconds), 1e6)
    let frame = Int64(seconds * Double(unit.rate?.hertz ?? 48_000))
    let left = try task.withLock { (task) throws(SoundQueueError) in
      task?.cancel()
      let (run, left) = try notes.begin(at: item, frame: frame, in: unit)
      task = feed(run, from: item, seconds: seconds, after: task)
      return left
    }
    if let left { report(.left(item: left)) }
  }

  /// Completes the copy.
  private static func finish(_ saving: StreamSaving?, _ report: Report) {
    guard let saving else { return }
    do throws(HTTPError) {
      if let count = try saving.finish() { report(.saved(path: saving.path, byteCount: count)) }
    } catch {
      report(.notSaved(error))
    }
  }

  private func feed(
    _ run: Int, from first: Int, seconds: Double, after old: Task<Void, Never>?
  ) -> Task<Void, Never> {
    let (items, unit, settings, fetched) = (items, unit, settings, fetched)
    let (notes, report, saving) = (notes, report, saving)
    return Task.detached { [weak self] in
      // The previous task must end first, because both share the position of a file.
      await old?.value
      let feed = QueueFeed(unit, settings, notes, run: run)
      for number in items.indices.dropFirst(first) where !Task.isCancelled {
        let item = StreamItem(
          number: number, feed: feed, fetched: fetched, settings: settings, saving: saving,
          report: report)
        await item.play(items[number], from: number == first ? seconds : 0)
      }
      guard notes.isLast(run) else { return }
      Self.finish(saving, report)
      self?.fedRun.store(run, ordering: .releasing)
    }
  }
}
