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

/// The computer that the command runs on.
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
    // For the superuser, memory can be locked regardless of the limit.
    let memory = geteuid() == 0 ? nil : limit(__RLIMIT_MEMLOCK.rawValue)
    return Limits(
      grantsPriority: grantsPriority, runTime: limit(__RLIMIT_RTTIME.rawValue), lockedMemory: memory
    )
  }

  /// Returns a limit of the process; nil if it is unlimited or unknown.
  private static func limit(_ resource: UInt32) -> UInt64? {
    var limit = rlimit()
    guard unsafe getrlimit(Int32(resource), &limit) == 0, limit.rlim_cur != rlim_t.max else {
      return nil
    }
    return UInt64(limit.rlim_cur)
  }

  /// True if a thread gets the priority that the render thread requests.
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

  // MARK: Checks that may take long

  /// Opens the default device for a moment, on a separate thread, because a device may block.
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

/// The result of opening the device, after it is known.
private final class TrialAnswer: Sendable {
  let trial = Mutex<Machine.DeviceTrial?>(nil)
}
