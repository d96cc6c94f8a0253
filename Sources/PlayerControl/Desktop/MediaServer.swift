// SPDX-License-Identifier: Apache-2.0
internal import Realtime
internal import SessionBus

/// Makes a player available to the desktop through MPRIS: media keys, panels and `playerctl`.
///
/// The server connects to the session bus at the first `update`, and never blocks. Without a
/// session bus, or without libsystemd, it does not have an effect.
///
/// - Note: Use it on the thread that performs commands.
public final class MediaServer {
  /// The time between reports of changes, in nanoseconds: 100 ms.
  private static let period: Int64 = 100_000_000
  private static let failed = "org.freedesktop.DBus.Error.Failed"

  private let identity: String
  /// Nil before the first update, and without a bus.
  private var bus: SessionBus?
  private var hasTried = false
  /// The identifier of a request for a name that is not answered yet.
  private var question: UInt64?
  private var names: [String]
  private var next: Int64 = 0
  /// The properties and the number of locates of the last report.
  private var told: [BusValue.Member] = []
  private var moves = 0

  /// Creates a server, which appears on the desktop as a player.
  ///
  /// - Parameters:
  ///   - identity: The name that is shown to users.
  ///   - busName: The last part of the bus name, after `org.mpris.MediaPlayer2.`: letters, digits
  ///     and `_`, not starting with a digit. If the name is taken, `.instancePID` is appended.
  public init(identity: String = "Downbeat", busName: String = "downbeat") {
    self.identity = identity
    let name = "\(MediaPlayer.rootInterface).\(busName)"
    names = ["\(name).instance\(ControlSocket.ownProcess)", name]
  }

  /// The file descriptors to wait for: they become readable when the desktop has sent a command.
  ///
  /// The array is empty without a session bus.
  public var descriptors: [Int32] { (bus?.descriptor).map { [$0] } ?? [] }

  /// Performs the commands that were received, and reports changes of the player's status to the
  /// desktop.
  ///
  /// - Parameter target: The player.
  /// - Returns: True if a command was performed.
  public func update(_ target: some ControlTarget) -> Bool {
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

  /// Requests the next name: first the plain name, then the one with the process ID.
  private func requestName() {
    question = names.popLast().flatMap { bus?.requestName($0) }
  }

  private func answer(
    _ call: BusCall, _ target: some ControlTarget, _ isDone: inout Bool
  ) -> BusAnswer {
    do {
      switch try MediaPlayer(status: target.status, identity: identity).outcome(of: call) {
      case .values(let values): return .values(values)
      case .nothing: return .done
      case .perform(let command):
        guard !target.hasEnded else { return .done }
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

  /// Reports what has changed since the last report.
  private func tell(_ target: some ControlTarget, isUrgent: Bool) {
    let now = DeadlineWait.now
    guard isUrgent || now >= next else { return }
    next = now + Self.period
    let status = target.status
    let player = MediaPlayer(status: status, identity: identity)
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
    if status.seekCount > moves {
      bus?.signal(
        MediaPlayer.path, MediaPlayer.playerInterface, "Seeked", [.int64(player.position)])
    }
    moves = status.seekCount
  }
}
