// SPDX-License-Identifier: Apache-2.0

/// The repairs and remarks of a reader, limited in number because a file can be damaged everywhere.
struct RepairLog: Sendable {
  /// The most repairs kept for one track; further ones are only counted.
  static let trackLimit = 100
  /// The most repairs kept for one file.
  static let fileLimit = 1000

  private(set) var repairs: [Repair] = []
  private(set) var omitted = 0
  private let limit: Int

  init(limit: Int) {
    self.limit = limit
  }

  /// The first repair that is not a remark.
  ///
  /// Strict reading throws it, and the track is not written back unchanged.
  var firstRepair: Repair? { repairs.first { !$0.isRemark } }

  mutating func append(_ repair: Repair) {
    // The first repair is kept even if the log is full of remarks.
    if repairs.count < limit || !repair.isRemark && firstRepair == nil {
      repairs.append(repair)
    } else {
      omitted += 1
    }
  }

  /// Removes the repairs that meet a condition.
  mutating func removeAll(where isWrong: (Repair) -> Bool) {
    repairs.removeAll(where: isWrong)
  }

  mutating func append(contentsOf other: RepairLog) {
    for repair in other.repairs { append(repair) }
    omitted += other.omitted
  }
}
