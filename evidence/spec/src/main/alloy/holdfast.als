/*
 * The lock protocol, for any order in which messages arrive: acquire, standing claims, extend, repair, sealing release,
 * retention, expiry, crashes that lose data, quarantine, floor take-over and fence. Each rule can be switched off, to show why it is needed.
 *
 * The model represents time only by its consequences. A client relies on a lease for less time than the nodes keep it,
 * so a key does not expire on a node whose confirmation the client relies on (rule Validity). A quarantine is longer
 * than any lease, so it ends when every attempt that began before it is over (rule Quarantine).
 *
 * A node stores a claim that it refuses, and may carry it out at any later moment at which it has no key. The scripts do
 * so in a release only. A waiter that renews its claim begins another attempt.
 *
 * A retention is a release that leaves the lock to no attempt for a while. Its time begins when the client asks for it.
 */
module holdfast

open util/ordering[Token] as order

/** A proposed token. Clocks may be wrong, so any attempt may propose any token. The first one means "none". */
sig Token {}

/** The value of the key of a retained lock. It is marked, so it matches no attempt. */
one sig Retained {}

sig Node {
  /** The attempt whose lock the node keeps, or the mark of a retained lock. */
  var key: lone Attempt + Retained,
  /**
   * The greatest accepted token, and the greatest token that must not be accepted because the node may have lost it.
   */
  var fence: one Token,
  var floor: one Token,
  /** The greatest token that the node has accepted in a grant or a repair; releases do not change it. */
  var accepted: one Token,
  /** Attempts whose claims the node has stored, to carry them out later. */
  var standing: set Attempt,
  /** Attempts whose release the node has processed. */
  var sealed: set Attempt,
  /** Attempts that began before the node lost its data; empty when it votes. */
  var awaits: set Attempt,
  /** The greatest of the tokens that the node may have lost, as other nodes reported it after the quarantine. */
  var learnt: lone Token
}

/** The nodes that vote. */
var sig Voter in Node {}

sig Attempt {
  token: one Token,
  /** The number that its repairs propose. There is one, so a second renewal sends the same as the first one. */
  number: one Token,
  /** Nodes to which a message of the attempt has been sent; it may arrive late, more than once, or never. */
  var claim: set Node,
  var extension: set Node,
  var repair: set Node,
  var release: set Node,
  /**
   * Nodes whose grant counts: the client has received it or may still receive it, and the key has not expired since.
   * After the end of an attempt that retains the lock, the nodes that do so.
   */
  var yes: set Node,
  /** The nodes on whose keys the client relies. */
  var relies: set Node,
  /** Attempts that had been granted when this one began. */
  var earlier: set Attempt
}

var sig Begun, Granted, Over in Attempt {}

/** The attempts that retain the lock if they were granted it, and of these, the ones whose retention is not over. */
sig Retaining in Attempt {}
var sig Keeping in Attempt {}

enum Rule {
  /** A client relies on a majority of the nodes. */
  Majority,
  /** A client relies on a lease for less time than the nodes keep it, counted from before it asked. */
  Validity,
  /** A node does not grant the lock while another attempt has it. */
  Exclusive,
  /** A node accepts no token below one that it has accepted. */
  CompareFence,
  /** A node accepts no token equal to one that it has accepted. */
  StrictlyAbove,
  /** A release prevents claims of its attempt that arrive later from taking the lock. */
  Seal,
  /** A release deletes only the lock of its own attempt. */
  CompareOwner,
  /** An extension that arrives after the lock is gone creates nothing. */
  ExtendCreatesNothing,
  /** A node accepts no repair whose number is below one that it has accepted. */
  RepairComparesFence,
  /** A node accepts no repair whose number is equal to one that it has accepted. */
  RepairStrictlyAbove,
  /** A repair proposes a number that its attempt has never sent to the node; otherwise the token of the lease. */
  RepairFresh,
  /** A repair does not change the key of another attempt. */
  RepairTakesNoOther,
  /** A release covers the repairs that its attempt has sent to the node. */
  ReleaseCoversRepairs,
  /** A node that lost its data does not vote until the attempts that began before are over. */
  Quarantine,
  /** Facts that were collected about a node count only for the current server process. */
  RunId,
  /** A node that lost its data takes over the greatest token that others know. */
  TakeOver,
  /** A node that lost its data takes over tokens from N - Q + 1 others. */
  FloorOfEnough,
  /** A node drops a fence only after it has raised its floor above it. */
  FloorBeforeDrop,
  /** The key of a retained lock matches no attempt, so an extension that arrives late does not change it. */
  RetainedIsMarked,
  /** A retention is at most as long as the longest lease, so a quarantine outlasts it. */
  RetentionIsBounded,
  /** A node stores no claim whose token is not above its fence: the claim may have been released before it arrived. */
  StoreComparesFence,
  /** A node carries out no standing claim whose token is not above all that it has accepted. */
  StandingComparesFence,
  /** A release drops the standing claim of its attempt. */
  ReleaseDropsClaim,
  /** A node carries out only standing claims that its current process has received as a voter. */
  StandingRunId
}

/** The rules that are switched off. */
one sig Config { off: set Rule }

/** The nodes that take part in the current step, if it involves several. */
one sig Step { var nodes: set Node }

pred on[r: Rule] { r not in Config.off }

fun holding: set Attempt { Granted - Over }
fun contents: set Attempt + Retained { Attempt + Retained }
fun greatest[ts: set Token]: Token { order/max[ts + order/first] }
/** The greatest number that an attempt has sent to a node. */
fun sent[a: Attempt, n: Node]: Token { n in a.repair implies greatest[a.token + a.number] else a.token }

pred majority[ns: set Node] {
  on[Majority] implies #ns > div[#Node, 2] else #ns >= div[#Node, 2] and some ns
}

fact tokens { all a: Attempt | a.token != order/first }

pred init {
  no key and no standing and no sealed and no awaits and no learnt and no claim and no extension and no repair and no release and
    no yes and no relies and no earlier

  Node.fence = order/first and Node.accepted = order/first and Node.floor = order/first
  no Begun and no Granted and no Over and no Keeping
  Voter = Node
}

pred unchangedClaims { standing' = standing and accepted' = accepted }

pred unchangedNodes {
  key' = key and fence' = fence and floor' = floor and sealed' = sealed and awaits' = awaits and learnt' = learnt and
  Voter' = Voter and unchangedClaims
}

pred unchangedMessages { claim' = claim and extension' = extension and repair' = repair and release' = release }

pred unchangedClients {
  yes' = yes and relies' = relies and earlier' = earlier and Begun' = Begun and Granted' = Granted and Over' = Over and
    Keeping' = Keeping
}

/** A client sends a claim with a token of its choice to all nodes. */
pred begin[a: Attempt] {
  a not in Begun
  Begun' = Begun + a
  claim' = claim + a->Node
  earlier' = earlier + a->Granted
  unchangedNodes and extension' = extension and repair' = repair and release' = release
  yes' = yes and relies' = relies and Granted' = Granted and Over' = Over and Keeping' = Keeping
}

/** Claims of an attempt arrive at some nodes, each of which grants the lock. (A refusal changes nothing.) */
pred accept[a: Attempt, ns: set Node] {
  some ns and ns in a.claim and ns in Voter
  all n: ns {
    on[Exclusive] implies no n.key
    on[CompareFence] implies (on[StrictlyAbove]
      implies order/gt[a.token, greatest[n.fence + n.floor]]
      else order/gte[a.token, greatest[n.fence + n.floor]])
  }
  key' = key ++ ns->a

  fence' = fence ++ ns->a.token
  accepted' = accepted ++ ns->a.token
  standing' = standing - ns->a
  yes' = yes + (a - Over)->ns
  floor' = floor and sealed' = sealed and awaits' = awaits and learnt' = learnt and Voter' = Voter
  unchangedMessages and relies' = relies and earlier' = earlier and Begun' = Begun and Granted' = Granted and
    Over' = Over and Keeping' = Keeping
}

/** A claim arrives at a node that keeps another key, which stores it. */
pred store[a: Attempt, n: Node] {
  n in a.claim and n in Voter
  some n.key - a
  on[StoreComparesFence] implies order/gt[a.token, greatest[n.fence + n.floor]]
  standing' = standing + n->a
  key' = key and fence' = fence and accepted' = accepted and floor' = floor and sealed' = sealed and awaits' = awaits
  learnt' = learnt and Voter' = Voter
  unchangedMessages and unchangedClients
}

/** A node without a key carries out a claim that it has stored. */
pred carryOut[a: Attempt, n: Node] {
  a in n.standing and no n.key
  on[StandingRunId] implies n in Voter
  on[StandingComparesFence] implies order/gt[a.token, greatest[n.accepted + n.floor]]
  key' = key + n->a
  fence' = fence ++ n->greatest[n.fence + a.token]
  accepted' = accepted ++ n->greatest[n.accepted + a.token]
  standing' = standing - n->a
  yes' = yes + (a - Over)->n
  floor' = floor and sealed' = sealed and awaits' = awaits and learnt' = learnt and Voter' = Voter
  unchangedMessages and relies' = relies and earlier' = earlier and Begun' = Begun and Granted' = Granted and
    Over' = Over and Keeping' = Keeping
}

/** The client has a majority in time. */
pred grant[a: Attempt] {
  a in Begun - Granted - Over
  majority[a.yes]
  Granted' = Granted + a
  relies' = relies + a->a.yes
  unchangedNodes and unchangedMessages and yes' = yes and earlier' = earlier and Begun' = Begun and Over' = Over and
    Keeping' = Keeping
}

/** A client may propose this number for a repair; it is free to choose. */
pred mayPropose[a: Attempt, r: Token] {
  on[RepairFresh] implies order/gt[r, a.token] else r = a.token
}

/** A node would accept a repair with this number if it kept no key. */
pred acceptsRepair[n: Node, r: Token] {
  on[RepairComparesFence] implies (on[RepairStrictlyAbove]
    implies order/gt[r, greatest[n.fence + n.floor]]
    else order/gte[r, greatest[n.fence + n.floor]])
}

/** A majority confirms an extension; nodes that do not have the lock are asked to repair it. */
pred extend[a: Attempt, ns: set Node] {
  a in holding
  mayPropose[a, a.number]
  majority[ns] and (all n: ns | n.key = a)
  relies' = relies - a->Node + a->ns
  extension' = extension + a->Node
  repair' = repair + a->(Node - ns)
  unchangedNodes and claim' = claim and release' = release and yes' = yes and earlier' = earlier
  Begun' = Begun and Granted' = Granted and Over' = Over and Keeping' = Keeping
}

/** An extension arrives after the lock is gone, or after it was released and is retained. */
pred extended[a: Attempt, n: Node] {
  n in a.extension
  (not on[ExtendCreatesNothing] and no n.key)
    or (not on[RetainedIsMarked] and n.key = Retained and a in n.sealed & Retaining)
  key' = key ++ n->a
  fence' = fence and floor' = floor and sealed' = sealed and awaits' = awaits and learnt' = learnt and Voter' = Voter
  unchangedClaims and unchangedMessages and unchangedClients
}

/** A repair arrives, possibly after the attempt is over. */
pred repaired[a: Attempt, n: Node] {
  n in a.repair and n in Voter
  on[RepairTakesNoOther] implies no n.key
  acceptsRepair[n, a.number]
  key' = key ++ n->a
  fence' = fence ++ n->greatest[n.fence + a.number]
  accepted' = accepted ++ n->greatest[n.accepted + a.number]
  standing' = standing
  floor' = floor and sealed' = sealed and awaits' = awaits and learnt' = learnt and Voter' = Voter
  unchangedMessages and unchangedClients
}

/** The client cancels, releases, retains or loses the lease: it relies on nothing any more. */
pred end[a: Attempt] {
  a in Begun - Over
  Over' = Over + a
  relies' = relies - a->Node
  release' = release + a->Node
  unchangedNodes and claim' = claim and extension' = extension and repair' = repair
  Keeping' = Keeping + (a & Retaining & Granted)
  yes' = yes - (a & Retaining & Granted)->Node
  earlier' = earlier and Begun' = Begun and Granted' = Granted
}

/** The time of a retention is over. */
pred lapse[a: Attempt] {
  a in Keeping
  Keeping' = Keeping - a
  unchangedNodes and unchangedMessages and yes' = yes and relies' = relies and earlier' = earlier
  Begun' = Begun and Granted' = Granted and Over' = Over
}

/**
 * A release arrives. The seal is the greatest number of the attempt, so a node that has accepted that number has
 * nothing to write. (The scripts seal with the next number where they write, because repairs of earlier versions pass
 * a fence equal to theirs.)
 */
pred released[a: Attempt, n: Node] {
  n in a.release
  key' = ((n.key = a or not on[CompareOwner])
    implies (a in Retaining & Granted implies key ++ n->Retained else key - n->contents)
    else key)
  yes' = (n.key = a implies yes + (a & Retaining & Granted)->n else yes)
  fence' = (on[Seal] implies fence ++ n->greatest[n.fence + (on[ReleaseCoversRepairs] implies sent[a, n] else a.token)] else fence)
  sealed' = sealed + n->a
  standing' = (on[ReleaseDropsClaim] implies standing - n->a else standing)
  accepted' = accepted
  floor' = floor and awaits' = awaits and learnt' = learnt and Voter' = Voter
  unchangedMessages and relies' = relies and earlier' = earlier and Begun' = Begun and Granted' = Granted and
    Over' = Over and Keeping' = Keeping
}

/** The time to live of a key is over. A client that has not decided yet must not count this grant. */
pred expire[n: Node] {
  some n.key
  on[Validity] implies n not in n.key.relies and (n.key = Retained implies n not in Keeping.yes)
  key' = key - n->contents
  yes' = (on[Validity] implies yes - n.key->n else yes)
  unchangedClaims and fence' = fence and floor' = floor and sealed' = sealed and awaits' = awaits and learnt' = learnt and Voter' = Voter

  unchangedMessages and relies' = relies and earlier' = earlier and Begun' = Begun and Granted' = Granted and
    Over' = Over and Keeping' = Keeping
}

/** A node loses all data. Connections to it are lost, with all messages on them. */
pred forget[n: Node] {
  key' = key - n->contents
  fence' = fence ++ n->order/first
  accepted' = accepted ++ n->order/first
  // A server may restore claims from a file; if their process is compared, they are as good as gone.
  standing' = (on[StandingRunId] implies standing - n->Attempt else standing)
  floor' = floor ++ n->order/first
  sealed' = sealed - n->Attempt
  Voter' = ((on[Quarantine] or on[TakeOver]) implies Voter - n else Voter)
  awaits' = (on[Quarantine] implies awaits ++ n->(Begun - Over) else awaits)

  learnt' = (on[RunId] implies learnt - n->Token else learnt)
  claim' = claim - Attempt->n
  extension' = extension - Attempt->n
  repair' = repair - Attempt->n
  release' = release and unchangedClients
}

/** A client has observed a node for long enough, and asks others which tokens the node may have lost. */
pred learn[n: Node, others: set Node] {
  n not in Voter
  n.awaits in Over
  on[RetentionIsBounded] implies n not in Keeping.yes
  others in Voter - n
  on[FloorOfEnough] implies #others >= minus[#Node, div[#Node, 2]] else some others
  learnt' = learnt ++ n->greatest[others.fence + others.floor]

  unchangedClaims
  key' = key and fence' = fence and floor' = floor and sealed' = sealed and awaits' = awaits and Voter' = Voter
  unchangedMessages and unchangedClients
}

/**
 * A client reports the tokens to the node, which votes again. Other clients may have done so, and the node may have
 * restarted.
 */
pred admit[n: Node] {
  n not in Voter and some n.learnt
  floor' = (on[TakeOver] implies floor ++ n->greatest[n.learnt + n.floor] else floor)
  Voter' = Voter + n
  awaits' = awaits - n->Attempt
  unchangedClaims and key' = key and fence' = fence and sealed' = sealed and learnt' = learnt
  unchangedMessages and unchangedClients
}

/** A node drops the fence of a resource. */
pred drop[n: Node] {
  n.fence != order/first
  floor' = (on[FloorBeforeDrop] implies floor ++ n->greatest[n.floor + n.fence] else floor)
  fence' = fence ++ n->order/first
  accepted' = accepted ++ n->order/first and standing' = standing
  key' = key and sealed' = sealed and awaits' = awaits and learnt' = learnt and Voter' = Voter
  unchangedMessages and unchangedClients
}

pred nothing { unchangedNodes and unchangedMessages and unchangedClients }

fact behaviour {
  init
  always (
    nothing
    or (some a: Attempt | begin[a] or accept[a, Step.nodes] or grant[a] or extend[a, Step.nodes] or end[a] or lapse[a])
    or (some a: Attempt, n: Node | extended[a, n] or repaired[a, n] or released[a, n] or store[a, n] or carryOut[a, n])
    or (some n: Node | expire[n] or forget[n] or learn[n, Step.nodes] or admit[n] or drop[n]))
}

/** At most one attempt relies on the lock. */
pred exclusion { lone holding }
/** No two leases have the same token. */
pred uniqueTokens { all disj a, b: Granted | a.token != b.token }
/** A lease's token is greater than that of every lease granted before its attempt began. */
pred tokenOrder { all a: Granted, b: a.earlier | order/gt[a.token, b.token] }
/** A node that has processed a release never has the lock of that attempt again. */
pred sealHolds { all n: Node | no n.key & n.sealed }

/** A voting node keeps the key that a client relies on, and a lock that it retains, whatever others send. */
pred keysStay {
  all a: holding | all n: a.relies & Voter | n.key = a
  all n: Keeping.yes & Voter | n.key = Retained
}
/**
 * A node that has lost the key of a lease accepts its repair once every other attempt is over and was released there.
 * (Except when the numbers run out, of which the model has few.)
 */
pred repairable {
  all a: holding, n: Voter |
    (no n.key and Begun - a in Over & n.sealed and order/last not in n.fence + n.floor + a.token)
      implies some r: Token | mayPropose[a, r] and acceptsRepair[n, r]
}

/** No attempt relies on a lock that a majority retains. */
pred retention { some holding implies no a: Keeping | majority[a.yes] }

pred promises { exclusion and uniqueTokens and tokenOrder and sealHolds and retention }

/** No node stores a claim: the behavior without standing claims, whose search is much shorter. */
pred noStandingClaims { always no standing }

/*
 * Each command has one length. A behaviour may do nothing in any step, so it includes all shorter ones, and searching
 * these as well, as "9 steps" or "1..9 steps" does, takes several times as long.
 */

/* The protocol keeps its promises. */

threeNodes: check { (no Config.off and noStandingClaims) implies always promises } for exactly 3 Node, 2 Attempt, 3 Token, 9..9 steps expect 0
fiveNodes: check { (no Config.off and noStandingClaims) implies always promises } for exactly 5 Node, 2 Attempt, 3 Token, 8..8 steps expect 0
threeAttempts: check { (no Config.off and noStandingClaims) implies always promises } for exactly 3 Node, 3 Attempt, 4 Token, 7..7 steps expect 0
standing: check { no Config.off implies always promises } for exactly 3 Node, 2 Attempt, 3 Token, 7..7 steps expect 0
repairs: check { (no Config.off and noStandingClaims) implies always (keysStay and repairable) } for exactly 3 Node, 2 Attempt, 4 Token, 8..8 steps expect 0

/* The model is not vacuous: two leases are granted, one of them after a node has lost its data and votes again. */

leasesAndQuarantine: run {
  no Config.off and noStandingClaims
  eventually #Granted = 2
  some n: Node | eventually (n not in Voter and eventually n in Voter)
} for exactly 3 Node, 2 Attempt, 3 Token, 12..12 steps expect 1

/** A lost key is restored, although another attempt was released on that node meanwhile. */
repairBesideWaiter: run {
  no Config.off and noStandingClaims
  some disj a, b: Attempt, n: Node |
    eventually (a in holding and b in Over and b in n.sealed and no n.key and order/gt[b.token, a.token] and
      repaired[a, n])
} for exactly 3 Node, 2 Attempt, 4 Token, 11..11 steps expect 1

/** A lease is handed over by standing claims on a majority. */
standingClaims: run {
  no Config.off
  some disj a, b: Attempt | eventually (a in holding and b in Begun and majority[standing.b] and
    eventually b in holding)
  always (Voter = Node and floor = Node->order/first and no extension)
} for exactly 3 Node, 2 Attempt, 3 Token, 11..11 steps expect 1

/** A lock that was retained is granted again. */
leaseAfterRetention: run {
  no Config.off and noStandingClaims
  some disj a, b: Attempt | eventually (a in Keeping and majority[a.yes] and b not in Begun and eventually b in holding)
  always (Voter = Node and floor = Node->order/first)
} for exactly 3 Node, 2 Attempt, 3 Token, 13..13 steps expect 1

/* Without one rule, a promise is broken. With "1..10 steps", a command shows the shortest counterexample. */

withoutMajority: run { noStandingClaims and Config.off = Majority and eventually not exclusion } for exactly 3 Node, 2 Attempt, 3 Token, 10..10 steps expect 1
withoutValidity: run { noStandingClaims and Config.off = Validity and eventually not exclusion } for exactly 3 Node, 2 Attempt, 3 Token, 10..10 steps expect 1
withoutExclusive: run { noStandingClaims and Config.off = Exclusive and eventually not exclusion } for exactly 3 Node, 2 Attempt, 3 Token, 10..10 steps expect 1
withoutCompareFence: run { noStandingClaims and Config.off = CompareFence and eventually not tokenOrder } for exactly 3 Node, 2 Attempt, 3 Token, 10..10 steps expect 1
withoutStrictlyAbove: run { noStandingClaims and Config.off = StrictlyAbove and eventually not uniqueTokens } for exactly 3 Node, 2 Attempt, 3 Token, 10..10 steps expect 1
withoutSeal: run { noStandingClaims and Config.off = Seal and eventually not sealHolds } for exactly 3 Node, 2 Attempt, 3 Token, 10..10 steps expect 1
withoutCompareOwner: run { noStandingClaims and Config.off = CompareOwner and eventually not exclusion } for exactly 3 Node, 3 Attempt, 3 Token, 10..10 steps expect 1
withoutExtendCreatesNothing: run { noStandingClaims and Config.off = ExtendCreatesNothing and eventually not sealHolds } for exactly 3 Node, 2 Attempt, 3 Token, 10..10 steps expect 1
withoutRepairComparesFence: run { noStandingClaims and Config.off = RepairComparesFence and eventually not sealHolds } for exactly 3 Node, 2 Attempt, 3 Token, 10..10 steps expect 1
withoutRepairStrictlyAbove: run { noStandingClaims and Config.off = RepairStrictlyAbove and eventually not sealHolds } for exactly 3 Node, 2 Attempt, 3 Token, 10..10 steps expect 1
withoutRepairFresh: run { noStandingClaims and Config.off = RepairFresh + RepairStrictlyAbove and eventually not repairable } for exactly 3 Node, 2 Attempt, 4 Token, 10..10 steps expect 1
withoutRepairTakesNoOther: run {
  noStandingClaims and Config.off = RepairTakesNoOther and eventually not keysStay
  // Nodes that lose data and keys that expire are irrelevant here; without them the search is short.
  always (Voter = Node and floor = Node->order/first and all n: Node | not expire[n])
} for exactly 3 Node, 2 Attempt, 4 Token, 11..11 steps expect 1
withoutReleaseCoversRepairs: run { noStandingClaims and Config.off = ReleaseCoversRepairs and eventually not sealHolds } for exactly 3 Node, 2 Attempt, 3 Token, 10..10 steps expect 1
withoutQuarantine: run { noStandingClaims and Config.off = Quarantine and eventually not exclusion } for exactly 3 Node, 2 Attempt, 3 Token, 10..10 steps expect 1
withoutRunId: run { noStandingClaims and Config.off = RunId and eventually not exclusion } for exactly 3 Node, 2 Attempt, 3 Token, 12..12 steps expect 1
withoutTakeOver: run { noStandingClaims and Config.off = TakeOver and eventually not tokenOrder } for exactly 3 Node, 2 Attempt, 3 Token, 11..11 steps expect 1
withoutFloorOfEnough: run { noStandingClaims and Config.off = FloorOfEnough and eventually not tokenOrder } for exactly 3 Node, 2 Attempt, 3 Token, 11..11 steps expect 1
withoutFloorBeforeDrop: run { noStandingClaims and Config.off = FloorBeforeDrop and eventually not tokenOrder } for exactly 3 Node, 2 Attempt, 3 Token, 10..10 steps expect 1
withoutRetainedIsMarked: run { noStandingClaims and Config.off = RetainedIsMarked and eventually not sealHolds } for exactly 3 Node, 2 Attempt, 3 Token, 10..10 steps expect 1
withoutRetentionIsBounded: run { noStandingClaims and Config.off = RetentionIsBounded and eventually not keysStay } for exactly 3 Node, 2 Attempt, 3 Token, 9..9 steps expect 1
withoutStoreComparesFence: run { Config.off = StoreComparesFence and eventually not sealHolds } for exactly 3 Node, 2 Attempt, 3 Token, 9..9 steps expect 1
withoutStandingComparesFence: run { Config.off = StandingComparesFence + StoreComparesFence and eventually not uniqueTokens } for exactly 3 Node, 2 Attempt, 3 Token, 11..11 steps expect 1
withoutReleaseDropsClaim: run { Config.off = ReleaseDropsClaim and eventually not sealHolds } for exactly 3 Node, 2 Attempt, 3 Token, 9..9 steps expect 1
withoutStandingRunId: run { Config.off = StandingRunId and eventually not exclusion } for exactly 3 Node, 2 Attempt, 3 Token, 10..10 steps expect 1
