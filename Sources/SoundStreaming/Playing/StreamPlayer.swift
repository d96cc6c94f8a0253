// SPDX-License-Identifier: Apache-2.0
internal import AudioFiles
public import AudioProcessing
internal import Glibc
public import MusicalTime
internal import Synchronization

/// Plays addresses and files, one after another, as one unit of a graph with a stereo bus.
///
/// Formats that `SoundStream` knows, and HTTP Live Streaming, play while they arrive, after half a second
/// is available; broadcasts after 40 ms, pipes after their second piece. Other files are fetched first.
/// The sound ahead is bounded; then the sender must wait. A lost connection is established again while
/// the rest plays. After a gap the player continues once there is a reserve, which grows with each gap of
/// an item. Events are reported by a closure: those of a position, such as a station's title, when that
/// is audible.
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
  private let fetched = FetchedFiles()
  private let saving: StreamSaving?
  private let task = Mutex<Task<Void, Never>?>(nil)
  /// The run whose items are all decoded.
  private let fedRun = Atomic(0)

  /// Prepares to play; nothing is opened and nothing sent.
  ///
  /// - Parameters:
  ///   - items: what is played, in order.
  ///   - rate: the output's.
  ///   - settings: how much is kept.
  ///   - report: is told of what happens.
  /// - Throws: `HTTPError.badAddress` for the first that is none; `.cannotKeep` if the file that is to get
  ///   the bytes cannot be created.
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

  /// Begins to open, fetch and decode; a second call does nothing.
  public func start() {
    task.withLock { task in
      guard task == nil else { return }
      do {
        let run = try notes.begin(at: 0, frame: 0, in: unit).run
        task = feed(run, from: 0, seconds: 0, after: nil)
        loadCodecs()
      } catch {
        // A queue that is new takes what it is told.
      }
    }
  }

  /// Loads the codecs' libraries, which takes as long as a server does to answer: meanwhile.
  private func loadCodecs() {
    guard case .address = items.first else { return }
    Task.detached { for library in [SoundLibrary.ffmpeg, .soxr] { _ = library.version } }
  }

  /// Ends all transfers; what was decoded stays in the unit.
  public func stop() {
    task.withLock { $0?.cancel() }
  }

  /// Ends all transfers, and waits until a file that gets the bytes is complete or removed.
  ///
  /// - Note: Blocks the caller until the disk is done; not for tasks, whose thread it would take.
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

  /// Whether all was decoded, and rendered to its end.
  public var isOver: Bool { isFed && unit.waitingCount == 0 }

  /// Whether all was decoded.
  package var isFed: Bool {
    let run = fedRun.load(ordering: .acquiring)
    return run > 0 && notes.isLast(run)
  }
}

// Where it is, and where it goes.
extension StreamPlayer {
  /// Where a player is.
  public struct Place: Hashable, Sendable {
    /// The number of the item, counted from 0.
    public let item: Int
    /// Seconds of the item; of a station since it was joined.
    public let seconds: Double
    /// How long the item is, in seconds; nil of a station, and where that is not known yet.
    ///
    /// Of MP3 and ADTS it is an estimate, but where an encoder has said it.
    public let duration: Double?
    /// Whether other places of the item can be gone to.
    public let isSeekable: Bool
  }

  /// Where it is, after the last quantum that was rendered.
  public var place: Place {
    let (item, frame) = notes.place(unit)
    let length = notes.length(of: item)
    return Place(
      item: item, seconds: Double(frame) / Double(unit.rate?.hertz ?? 48_000),
      duration: length?.seconds, isSeekable: length?.isSeekable ?? false)
  }

  /// Falls silent and keeps its place, or goes on.
  ///
  /// Connections are kept meanwhile, and servers wait. One that does not is asked again, and of a station
  /// what it sent then is missing, which is told.
  ///
  /// - Throws: `SoundQueueError.notRendered`.
  public func setPaused(_ isPaused: Bool) throws(SoundQueueError) {
    try notes.setPaused(isPaused, unit)
  }

  /// Goes to an item, or another place of one; what is heard fades out in 5 ms, and what was decoded is
  /// dropped.
  ///
  /// Where a server gives parts, only the place is fetched, else all before it as well. Places in MP3
  /// and ADTS are found by the mean length of a packet, or by an encoder's table of contents, and can be
  /// off by what these are. A station is joined anew, wherever one goes to in it.
  ///
  /// - Parameters:
  ///   - item: its number.
  ///   - seconds: the place in it; held within it.
  /// - Precondition: there is such an item, and the player was started.
  /// - Throws: `SoundQueueError.notRendered`.
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

  /// Completes the file that gets the bytes.
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
      // A file that both read has one place.
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
