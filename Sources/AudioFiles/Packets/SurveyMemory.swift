// SPDX-License-Identifier: Apache-2.0
internal import Glibc
internal import Synchronization

/// The packets of the files that were surveyed last, so that opening one again looks at none of its
/// bytes twice.
///
/// - Note: Any thread.
enum SurveyMemory {
  /// A file as it was at one time.
  struct File: Hashable {
    private let device: UInt64
    private let inode: UInt64
    private let byteCount: Int64
    /// When its bytes, and what is said of it, were changed last: nanoseconds since 1970.
    private let changes: [Int64]

    /// Takes note of a file; nil where it was changed so lately that a change from now on might have
    /// the same time.
    init?(_ stream: FileStream) {
      var status = stat()
      var now = timespec()
      guard unsafe fstat(stream.descriptor, &status) == 0,
        unsafe clock_gettime(CLOCK_REALTIME, &now) == 0
      else { return nil }
      changes = [status.st_mtim, status.st_ctim].map(Self.nanoseconds)
      (device, inode) = (UInt64(status.st_dev), UInt64(status.st_ino))
      byteCount = Int64(status.st_size)
      guard changes.allSatisfy({ $0 < Self.nanoseconds(now) - Self.young }) else { return nil }
    }

    /// Kernels count the times of files in steps of up to 10 ms.
    private static let young: Int64 = 50_000_000

    private static func nanoseconds(_ time: timespec) -> Int64 {
      Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_nsec)
    }
  }

  /// What was found, and how to look on.
  struct Survey {
    let properties: SoundStream.Properties
    let table: PacketTable
    let isComplete: Bool
    let parser: SoundStream
    let place: Int64
  }

  /// The packets that are kept of all files: 40 MiB, seven hours.
  private static let packetLimit = 1 << 20
  /// The last used is the last.
  private static let surveys = Mutex<[(file: File, survey: Survey)]>([])

  /// What was found in a file.
  static func recall(_ file: File) -> Survey? {
    surveys.withLock { surveys in
      guard let place = surveys.firstIndex(where: { $0.file == file }) else { return nil }
      let known = surveys.remove(at: place)
      surveys.append(known)
      return known.survey
    }
  }

  /// Keeps what was found, where the file is still what it was and no more is known of it.
  static func keep(_ survey: Survey, of file: File, _ stream: FileStream) {
    let packetCount = survey.table.packets.count
    guard File(stream) == file, packetCount <= packetLimit else { return }
    surveys.withLock { surveys in
      if let known = surveys.first(where: { $0.file == file })?.survey,
        known.isComplete || known.table.packets.count > packetCount
      {
        return
      }
      surveys.removeAll { $0.file == file }
      surveys.append((file, survey))
      var count = surveys.reduce(0) { $0 + $1.survey.table.packets.count }
      while count > packetLimit { count -= surveys.removeFirst().survey.table.packets.count }
    }
  }
}
