// SPDX-License-Identifier: Apache-2.0
package import MusicalTime

/// The common part of the controls of sound files and of streams, which play in sequence.
///
/// - Note: One thread.
package protocol FileControls: ControlTarget {
  /// A position: the file, from 0, and seconds from its beginning.
  typealias Place = (item: Int, seconds: Double)

  var state: PlayerState<Place> { get set }
  var hasEnded: Bool { get set }
  /// The names of the files.
  var names: [String] { get }
  /// The position, or that of the last locate while the output may still play the old one.
  var place: Place { get }
  /// The end of the current file in seconds; nil if it is not known.
  var end: Double? { get }
  /// The sample rate of the current file.
  var rate: SampleRate { get }

  /// The position in seconds at which a file begins.
  func start(ofFile index: Int) -> Double
  /// Starts or stops the player.
  func setRunning(_ isRunning: Bool) throws
  /// Moves to a position, and records it in the state.
  func move(to place: Place) throws
  /// Moves to a position in the current file, limited to its range.
  func seek(to seconds: Double) throws
  /// Moves to the beginning of another file.
  func goToFile(_ index: Int) throws
  /// Sets the gain, relative to the gain at the start, as a factor.
  func setGain(_ factor: Float)
  /// Performs a command that is not common to sounds and streams.
  func performOnSound(_ command: PlayCommand) throws
}

extension FileControls {
  package static var kind: PlayStatus.Kind { .sound }
  package var isPaused: Bool { state.isPaused }
  package var volume: Double { state.volume }

  package func goToFile(_ index: Int) throws {
    try move(to: (index, start(ofFile: index)))
  }

  package func performOnSound(_ command: PlayCommand) throws {}

  /// Stops the player while `body` runs, then starts it again unless it is paused.
  package func rest(while body: () -> Void) {
    do {
      try setRunning(false)
      body()
      if !isPaused { try setRunning(true) }
    } catch {
      message = "\(error)"
    }
  }

  /// Moves to a fraction of the current file, 0…1; an error is only stored in `message`.
  package func go(to part: Double) {
    message = ""
    guard let end else { return }
    let start = start(ofFile: place.item)
    do {
      try seek(to: start + part * (end - start))
    } catch {
      message = "\(error)"
    }
  }

  package func perform(_ command: PlayCommand, at time: HostTime?) throws {
    switch command {
    case .togglePause: try setPaused(!isPaused)
    case .setPaused(let isPaused): try setPaused(isPaused)
    case .stop:
      try setPaused(true)
      try restart()
      state.isStopped = true
    case .skipSeconds(let seconds): try seek(to: place.seconds + Double(seconds))
    case .locate(let time): try seek(to: time)
    case .restart: try restart()
    case .skipFiles(let step): try skip(step)
    case .goToFile(let index):
      guard names.indices.contains(index) else {
        throw ControlError(
          .usage, "file \(index + 1): not in the list, which has \(names.count.counted("file"))")
      }
      try goToFile(index)
    case .changeVolume(let step): setVolume(volume + Double(step))
    case .setVolume(let decibels): setVolume(decibels)
    case .quit: hasEnded = true
    case .quitToResume:
      state.isPlaceKept = true
      hasEnded = true
    default: try performOnSound(command)
    }
  }

  private func seek(to time: SeekTime) throws {
    let (seconds, end) = (try seconds(of: time), end)
    try seek(to: seconds)
    if let end, seconds > end { message = SeekTime.pastEnd(end) }
  }

  /// Returns a position in the current file in seconds.
  func seconds(of time: SeekTime) throws(ControlError) -> Double {
    try time.seconds(from: place.seconds, of: end, rate: rate)
  }

  private func setPaused(_ isPaused: Bool) throws {
    guard isPaused != self.isPaused else { return }
    try setRunning(!isPaused)
    state.isPaused = isPaused
  }

  private func restart() throws {
    try move(to: (place.item, start(ofFile: place.item)))
  }

  /// Moves by files; the player ends after the last one, and the first one restarts.
  private func skip(_ step: Int) throws {
    let next = place.item + step
    if names.indices.contains(next) {
      try goToFile(next)
    } else if step > 0 {
      hasEnded = true
    } else {
      try restart()
    }
  }

  private func setVolume(_ decibels: Double) {
    setGain(state.setVolume(decibels))
    message = state.volumeMessage
  }

  /// The title of a file without one: its name without folders and suffix; the address of a stream
  /// is unchanged.
  private static func title(of path: String) -> String {
    FileAddress.scheme(of: path) == nil ? SongEntry(path: path).titleOfFile : path
  }

  /// The status, without properties that only sounds or only streams have.
  func commonStatus(title: String) -> PlayStatus {
    var status = PlayStatus(kind: Self.kind)
    state.fill(&status)
    let path = names[place.item]
    (status.title, status.path) = (title == path ? Self.title(of: path) : title, path)
    (status.index, status.count) = (place.item, names.count)
    status.list = names.enumerated().map {
      PlayStatus.File(index: $0, path: $1, title: Self.title(of: $1))
    }
    (status.seconds, status.duration, status.volume) = (place.seconds, end, volume)
    return status
  }
}
