// SPDX-License-Identifier: Apache-2.0
internal import ALSAAudio
internal import AudioFiles
internal import CommandKit
internal import CommandOptions
internal import Downbeat
internal import FileNames
internal import Glibc
internal import JACKAudio
internal import Realtime
internal import SoundFontInstruments
internal import SoundStreaming
internal import Synchronization

/// The machine that the command runs on.
extension Machine {
  static var current: Machine {
    Machine(
      environment: Environment.variables, userID: getuid(), groups: ownGroups,
      limits: ownLimits, columns: Console.current.isOutputTerminal ? StatusLine.columns : nil,
      libraries: ownLibraries, unsupportedFFmpeg: CodecCatalog.unsupportedVersion,
      missingCodecs: CodecCatalog.decoders.filter { !$0.isAvailable }.map(\.name),
      soundFonts: FontSearch.discovery,
      route: AudioDevice.standard.route, heardServer: ownServer,
      inputs: DeviceEntry.inputSummaries, tryDevice: tryStandardDevice,
      mayOpen: { $0.withSystemPath { unsafe access($0, R_OK | W_OK) } == 0 },
      answers: { $0.isLocalSocketInUse })
  }

  private static var ownServer: AutomaticServer {
    let server = OutputDevice.heardServer(.standard)
    return AutomaticServer(
      name: server.client?.server.name, reason: server.reason,
      isLibraryMissing: server.isLibraryMissing)
  }

  private static var ownGroups: Set<UInt32> {
    var groups = [gid_t](repeating: 0, count: 65_536)
    let count = unsafe getgroups(Int32(groups.count), &groups)
    return Set(groups.prefix(Int(max(0, count)))).union([getgid(), getegid()])
  }

  private static var ownLibraries: [(name: String, version: String?)] {
    [("libasound", AudioDevice.libraryVersion), ("libfluidsynth", SoundFont.libraryVersion)]
      + SoundLibrary.allCases.map { ($0.rawValue, $0.version) }
      + [("libcurl", HTTPSource.libraryVersion)]
  }

  // MARK: Limits

  private static var ownLimits: Limits {
    // The superuser's memory is locked whatever the limit.
    let memory = geteuid() == 0 ? nil : limit(__RLIMIT_MEMLOCK.rawValue)
    return Limits(
      grantsPriority: grantsPriority, runTime: limit(__RLIMIT_RTTIME.rawValue), lockedMemory: memory
    )
  }

  /// A limit of the process; nil where there is none, or the system does not say.
  private static func limit(_ resource: UInt32) -> UInt64? {
    var limit = rlimit()
    guard unsafe getrlimit(Int32(resource), &limit) == 0, limit.rlim_cur != rlim_t.max else {
      return nil
    }
    return UInt64(limit.rlim_cur)
  }

  /// Whether a thread gets the priority that the render thread asks for.
  private static var grantsPriority: Bool {
    do {
      let thread = try RealtimeThread(name: "doctor", priority: ALSAOutputUnit.Wishes().priority) {}
      defer { thread.join() }
      if case .firstInFirstOut = thread.scheduling { return true }
      return false
    } catch {
      return false
    }
  }

  // MARK: What may take its time

  /// Opens the standard device for a moment, on a thread of its own: a device may block.
  private static func tryStandardDevice() -> DeviceTrial {
    let answer = TrialAnswer()
    do {
      let thread = try RealtimeThread(name: "device trial", priority: nil) {
        answer.trial.withLock { $0 = open() }
      }
      defer { _ = thread }
      for _ in 0..<200 {
        if let trial = answer.trial.withLockIfAvailable({ $0 }) ?? nil { return trial }
        DeadlineWait.sleep(until: DeadlineWait.now + 10_000_000)
      }
      return .silent
    } catch {
      return open()
    }
  }

  private static func open() -> DeviceTrial {
    do throws(DeviceError) {
      _ = try AudioDevice.standard.capabilities()
      return .opens
    } catch {
      return .refused(error)
    }
  }
}

/// What a device said, once it has.
private final class TrialAnswer: Sendable {
  let trial = Mutex<Machine.DeviceTrial?>(nil)
}
