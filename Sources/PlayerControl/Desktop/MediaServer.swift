// SPDX-License-Identifier: Apache-2.0
internal import Realtime
internal import SessionBus

/// Lets a desktop lead a player: media keys, panels and whatever else speaks MPRIS.
///
/// It connects once a song plays, and never waits; without a bus, or a library for it, there is
/// silence.
///
/// - Note: one thread, the one with the player's keys.
package final class MediaServer {
  /// How often changes are told, in nanoseconds.
  private static let period: Int64 = 100_000_000
  private static let failed = "org.freedesktop.DBus.Error.Failed"

  /// Nil before the first song plays, and where there is no bus.
  private var bus: SessionBus?
  private var hasTried = false
  /// The question for a name that waits for an answer.
  private var question: UInt64?
  private var names: [String]
  private var next: Int64 = 0
  /// What was told last, and how often it had been sent to another place then.
  private var told: [BusValue.Member] = []
  private var moves = 0

  package init() {
    let name = MediaPlayer.rootInterface + ".downbeat"
    names = ["\(name).instance\(ControlSocket.ownProcess)", name]
  }

  /// What becomes readable when something comes.
  package var descriptors: [Int32] { (bus?.descriptor).map { [$0] } ?? [] }

  /// Does what came, and tells what has changed; true where a command was done.
  package func update(_ target: some ControlTarget) -> Bool {
    connect()
    guard let bus, bus.descriptor != nil else { return false }
    var isDone = false
    bus.process { call in
      switch call.kind {
      case .call: return answer(call, target, &isDone)
      case .answer(question), .error(question):
        if call.arguments.first != .uint32(1) { requestName() }
        return .done
      default: return .done
      }
    }
    tell(target, isUrgent: isDone)
    return isDone
  }

  /// Connects, the first time.
  private func connect() {
    guard !hasTried else { return }
    hasTried = true
    bus = SessionBus()
    requestName()
  }

  /// Asks for the name that is left: the first player has the plain one.
  private func requestName() {
    question = names.popLast().flatMap { bus?.requestName($0) }
  }

  private func answer(
    _ call: BusCall, _ target: some ControlTarget, _ isDone: inout Bool
  ) -> BusAnswer {
    do {
      switch try MediaPlayer(status: target.status).outcome(of: call) {
      case .values(let values): return .values(values)
      case .nothing: return .done
      case .perform(let command):
        guard !target.hasMoved else { return .done }
        try target.execute(command)
        isDone = true
        return .done
      }
    } catch let refusal as MediaPlayer.Refusal {
      return .error(refusal.name, refusal.sentence)
    } catch {
      return .error(Self.failed, "\(error)")
    }
  }

  /// Tells what has changed since the last time, and where it was sent.
  private func tell(_ target: some ControlTarget, isUrgent: Bool) {
    let now = DeadlineWait.now
    guard isUrgent || now >= next else { return }
    next = now + Self.period
    let status = target.status
    let player = MediaPlayer(status: status)
    let changes = player.player.enumerated().filter { index, member in
      !told.indices.contains(index) || told[index] != member
    }.map(\.element)
    let isNew = told.isEmpty
    told = player.player
    if !isNew, !changes.isEmpty {
      bus?.signal(
        MediaPlayer.path, MediaPlayer.propertiesInterface, "PropertiesChanged",
        [.text(MediaPlayer.playerInterface), .members(changes), .texts([])])
    }
    if status.moves > moves {
      bus?.signal(
        MediaPlayer.path, MediaPlayer.playerInterface, "Seeked", [.int64(player.position)])
    }
    moves = status.moves
  }
}
