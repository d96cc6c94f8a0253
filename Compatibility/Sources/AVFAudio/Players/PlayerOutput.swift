// SPDX-License-Identifier: Apache-2.0
package import AudioProcessing
internal import AudioToolbox
internal import Dispatch
package import MusicalTime
internal import Synchronization

/// The output that all players share: one device, and a mixer that players join and leave.
///
/// The output opens when the first player joins, and closes two seconds after the last has left.
///
/// - Note: Any thread.
package final class PlayerOutput: Sendable {
  /// The output of the process.
  package static let shared = PlayerOutput()

  /// A player's place in the mixer.
  package struct Seat: Hashable, Sendable {
    fileprivate let number: Int
    fileprivate let run: Int
  }

  /// The output that a player has joined.
  package struct Link {
    /// The place.
    package let seat: Seat
    /// The output.
    package let output: any OutputUnit
    /// The first frame from which on a sound is played in full; earlier frames are faded in.
    package let firstFrame: SampleTime
  }

  /// All places are taken, or the output cannot be started.
  struct Failure: Error {}

  /// The rate of the output, which the session's preference sets before the first player exists.
  package let rate: SampleRate

  private static let groupSize = 64
  private static let groupCount = 16
  private static let patience = 3600
  /// Held, outside of the state's lock, while a player joins or leaves, and while the output opens
  /// or closes.
  private let moves = Mutex(())
  private let state = Mutex(State())
  private let queue = DispatchQueue(label: "player output")

  private struct State {
    var run: Run?
    var runCount = 0
    /// Counts joins and leaves, so that a pending close finds out that it is too late.
    var changes = 0
  }

  // Unchecked: groups and seats are used under `moves`, the base under the lock of the state; any
  // thread may ask an output for its position.
  private final class Run: @unchecked Sendable {
    let number: Int
    let output: any OutputUnit
    let plan: RenderPlan
    let head: AudioGraph.Node
    var groups: [AudioGraph.Node?]
    var seats: [Int: AudioGraph.Node] = [:]
    /// The frame that counts as 0; nil without players.
    var base: Int64?

    init(
      _ number: Int, _ output: any OutputUnit, _ plan: RenderPlan, _ head: AudioGraph.Node,
      groupCount: Int
    ) {
      self.number = number
      self.output = output
      self.plan = plan
      self.head = head
      groups = Array(repeating: nil, count: groupCount)
    }
  }

  private init() {
    let hertz = Int(SystemSession.shared.nextRate)
    rate = SampleRate(hertz: hertz) ?? .hertz48000
  }

  /// Adds a unit to the mixer, and starts the output if it does not run.
  ///
  /// - Parameter unit: A stereo unit at the output's rate.
  /// - Returns: The unit's place, and the output.
  /// - Throws: `Failure`; the error of the device.
  package func join(_ unit: any ProcessingUnit) throws -> Link {
    nonisolated(unsafe) let unit = unit
    return try moves.withLock { _ -> sending Link in
      let known = state.withLock { state -> Run? in
        state.changes += 1
        return state.run
      }
      // A device that has failed for good is given up.
      let running = known.flatMap { $0.output.fault == nil ? $0 : nil }
      let run = try running ?? makeRun(after: known?.number ?? state.withLock(\.runCount))
      let isFirst = run.seats.isEmpty
      let number = try unsafe seat(unit, in: run)
      // Not under the lock of the state: a device may take long to start.
      if running == nil {
        try run.output.start(run.plan, at: .zero)
        SystemSession.shared.watch(run.output)
      }
      state.withLock { state in
        if isFirst { run.base = run.output.position.frames }
        (state.run, state.runCount) = (run, run.number)
      }
      // A unit that joins is faded in for 5 ms from the next period on.
      let margin = Int64(2 * run.output.periodFrames) + Int64(rate.hertz) / 100
      let first = running == nil ? 0 : run.output.position.frames + margin
      nonisolated(unsafe) let output = run.output
      return unsafe Link(
        seat: Seat(number: number, run: run.number), output: output,
        firstFrame: SampleTime(frames: first))
    }
  }

  private func makeRun(after number: Int) throws -> Run {
    var graph = AudioGraph()
    let head = graph.add(
      MixerUnit(name: "players", stripCount: Self.groupCount, rate: rate))
    try graph.setHead(head)
    let output = SharedOutput.make(
      rate: rate, periodFrames: SystemSession.shared.nextPeriodFrames, patience: Self.patience)
    return Run(number + 1, output, try graph.compile(), head, groupCount: Self.groupCount)
  }

  /// Connects a unit to the first free place.
  private func seat(_ unit: any ProcessingUnit, in run: Run) throws -> Int {
    let count = Self.groupCount * Self.groupSize
    guard let number = (0..<count).first(where: { run.seats[$0] == nil }) else { throw Failure() }
    let (group, strip) = (number / Self.groupSize, number % Self.groupSize)
    let old = run.groups[group]
    let (node, mixer) = try run.plan.edit { [rate] graph throws(GraphError) in
      let mixer = old ?? graph.add(MixerUnit(stripCount: Self.groupSize, rate: rate))
      if old == nil { try graph.connect(mixer, to: run.head, input: group) }
      let node = graph.add(unit)
      try graph.connect(node, to: mixer, input: strip)
      return (node, mixer)
    }
    run.groups[group] = mixer
    run.seats[number] = node
    return number
  }

  /// Removes a unit from the mixer, with a fade of 5 ms.
  ///
  /// - Parameter seat: The unit's place.
  package func leave(_ seat: Seat) {
    let changes = moves.withLock { _ -> Int? in
      guard let run = state.withLock(\.run), run.number == seat.run,
        let node = run.seats.removeValue(forKey: seat.number)
      else { return nil }
      do {
        try run.plan.edit { graph throws(GraphError) in try graph.remove(node) }
      } catch {
        // The node is in the graph, and the mixer accepts open inputs.
      }
      let isEmpty = run.seats.isEmpty
      return state.withLock { state in
        state.changes += 1
        if isEmpty { run.base = nil }
        return isEmpty ? state.changes : nil
      }
    }
    guard let changes else { return }
    queue.asyncAfter(deadline: .now() + .seconds(2)) { [self] in close(ifUnchangedSince: changes) }
  }

  private func close(ifUnchangedSince changes: Int) {
    moves.withLock { _ in
      let run = state.withLock { state -> Run? in
        guard state.changes == changes else { return nil }
        return state.run.take()
      }
      run?.output.stop(draining: false)
    }
  }

  /// The seconds that were audible since the first of the present players joined; 0 without players.
  var time: Double {
    state.withLock { state in
      guard let run = state.run, let base = run.base else { return 0 }
      let heard = run.output.position.frames - Int64(run.output.latency) - base
      return Double(max(0, heard)) / Double(rate.hertz)
    }
  }

  /// The frame of a time as `time` counts; nil without players.
  ///
  /// - Parameter seconds: The time, at most 10⁹ s.
  /// - Returns: The frame.
  func frame(at seconds: Double) -> SampleTime? {
    state.withLock { state in
      guard let run = state.run, seconds.isFinite else { return nil }
      let frames = (max(0, min(seconds, 1e9)) * Double(rate.hertz)).rounded()
      return SampleTime(frames: (run.base ?? 0) + Int64(run.output.latency) + Int64(frames))
    }
  }
}

extension PlayerOutput {
  /// The frames from the first that was not rendered to another.
  ///
  /// - Parameter frame: The other frame.
  /// - Returns: The distance, 0 or more.
  func distance(to frame: SampleTime) -> Int64 {
    state.withLock { state in
      max(0, frame.frames - (state.run?.output.position.frames ?? frame.frames))
    }
  }
}
