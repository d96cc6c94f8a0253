// SPDX-License-Identifier: Apache-2.0
internal import AudioFiles
internal import CommandKit
internal import CommandOptions
internal import JSONText
internal import PlayerControl
internal import PlayerViews
internal import SoundStreaming
internal import Synchronization

/// Reports the events of streams to the user and as JSON, and remembers failures.
///
/// - Note: Can be called on any thread.
final class StreamNews: Sendable {
  private struct State {
    /// The names of the stations.
    var stations: [Int: String] = [:]
    var failures: [Int: ExitStatus] = [:]
    /// The reason why the file of --save is missing.
    var savingFailure: ExitStatus?
    /// The format that was reported for the current item.
    ///
    /// A change of position does not report it again.
    var told: (item: Int, layer: SoundLayer)?
    var title: (item: Int, text: String)?
  }

  private let names: [String]
  private let isQuiet: Bool
  private let state = Mutex(State())

  init(_ names: [String], isQuiet: Bool) {
    self.names = names
    self.isQuiet = isQuiet || JSONReport.isOn
  }

  /// The exit status.
  ///
  /// For one item, it is the status of its failure; if only some of several items failed, it is 3.
  var exitStatus: ExitStatus {
    let (failures, saving) = state.withLock { ($0.failures, $0.savingFailure) }
    if let saving { return saving }
    guard let worst = failures.values.max() else { return .success }
    return failures.count == names.count ? worst : .partial
  }

  /// Returns the current title of an item: the title that a station sends, otherwise the name of
  /// the station, otherwise the address.
  func title(of item: Int) -> String {
    state.withLock { state in
      if let title = state.title, title.item == item, !title.text.isEmpty { return title.text }
      return state.stations[item] ?? names[item]
    }
  }

  /// Reports an event.
  func tell(_ event: StreamPlayer.Event) {
    switch event {
    case .opened(let item, let reply):
      state.withLock { state in
        state.stations[item] = reply.name
        // A playlist may have several addresses for one item. This one works.
        state.failures[item] = nil
      }
    case .fetching(let item, let byteCount):
      say("\(names[item]): downloading \(byteCount) bytes first")
    case .playing(let item, let layer, let bitrate): begin(item, layer, bitrate)
    case .title(let item, let title):
      let isNew = state.withLock { state in
        defer { state.title = (item, title.title) }
        return state.title.map { $0 != (item, title.title) } ?? true
      }
      guard isNew else { return }
      if !title.title.isEmpty { say(title.title) }
      JSONReport.tell("title", place(item) + [("title", .text(title.title))])
    case .ended(let item): end(item, state.withLock { $0.failures[item] == nil } ? "eof" : "error")
    case .left(let item): end(item, "stop")
    case .failed(let item, let error): fail(item, error)
    case .saved(let path, let byteCount):
      say("\(path): saved, \(byteCount) bytes")
      JSONReport.tell("stream-saved", [("path", .path(path)), ("bytes", .integer(Int(byteCount)))])
    case .notSaved(let error): failSaving(error)
    default: tellTrouble(event)
    }
  }

  /// Reports that the user quit during an item.
  func leave(_ item: Int) { end(item, "quit") }

  private func begin(_ item: Int, _ layer: SoundLayer, _ bitrate: Int?) {
    let (station, isNew) = state.withLock { state in
      defer { state.told = (item, layer) }
      let isNew = state.told.map { $0.item != item || $0.layer != layer } ?? true
      return (state.stations[item], isNew)
    }
    guard isNew else { return }
    let speed = bitrate.map { ", \(($0 + 500) / 1_000) kb/s" } ?? ""
    say("\(station ?? names[item]): \(layer)\(speed)")
    JSONReport.tell(
      "stream",
      place(item) + [
        ("name", JSONReport.text(station)), ("codec", .text("\(layer.codec)")),
        ("rate", .integer(layer.hertz)), ("channels", .integer(layer.channelCount)),
        ("bitrate", bitrate.map { .integer($0) } ?? .null),
      ])
  }

  private func end(_ item: Int, _ reason: String) {
    state.withLock { ($0.told, $0.title) = (nil, nil) }
    JSONReport.tell("end-file", place(item) + [("reason", .text(reason))])
  }

  private func fail(_ item: Int, _ error: any Error) {
    let failure = error as? any FailureDescribing ?? Failure(.failure, "\(error)")
    state.withLock { $0.failures[item] = failure.exitStatus }
    Terminal.report(failure.sentence)
    JSONReport.tell("stream-failed", place(item) + [("message", .text(failure.sentence))])
  }

  private func failSaving(_ error: HTTPError) {
    state.withLock { $0.savingFailure = error.exitStatus }
    Terminal.report("\(error)")
    JSONReport.tell("stream-not-saved", [("message", .text("\(error)"))])
  }

  private func tellTrouble(_ event: StreamPlayer.Event) {
    switch event {
    case .interrupted(let item, let error, let pause):
      Terminal.report("\(error); reconnecting")
      let milliseconds = Int(pause / .milliseconds(1))
      JSONReport.tell(
        "stream-lost",
        place(item) + [("message", .text("\(error)")), ("milliseconds", .integer(milliseconds))])
    case .resumed(let item, let isContinuous):
      Terminal.report(
        "\(names[item]): reconnected" + (isContinuous ? "" : ", but a part is missing"))
      JSONReport.tell("stream-back", place(item) + [("continuous", .bool(isContinuous))])
    case .ranDry(let item):
      Terminal.report("\(names[item]): data arrives too slowly; silent until more is received")
      JSONReport.tell("stream-dry", place(item))
    case .wentOn(let item, let seconds):
      let milliseconds = Int((seconds * 1000).rounded())
      let time = seconds < 1 ? "\(milliseconds) ms" : "\(seconds.decimal(1)) s"
      Terminal.report("\(names[item]): continues after \(time) of silence")
      JSONReport.tell(
        "stream-sound", place(item) + [("milliseconds", .integer(Int(seconds * 1_000)))])
    default: break
    }
  }

  private func place(_ item: Int) -> JSONReport.Members {
    [("path", .path(names[item])), ("playlist-pos", .integer(item))]
  }

  private func say(_ line: String) {
    if !isQuiet { Terminal.say(line) }
  }
}
