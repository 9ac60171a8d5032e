-- Files: every file of the roots as it was when it was last read. Derived: whatever is lost is made again by a sync.
create table files (
    key integer primary key autoincrement,
    project text not null,
    -- where the path begins: '' is the project's directory, anything else a root beside it, as seen from there
    root text not null,
    path text not null check (path <> '' and substr(path, 1, 1) <> '/'),
    size integer not null check (size >= 0),
    mtime_ns integer not null,
    hash text not null,
    lines integer not null check (lines >= 0),
    -- why it was read and left out; a file that is as it was is not read again only to be left out again
    skipped text,
    -- how it was cut and analysed; another recipe makes its chunks anew
    recipe text not null,
    synced_at text not null,
    unique (project, root, path)
) strict;

-- Chunks: line ranges of files. A chunk whose text stays keeps its row, wherever its lines move.
create table chunks (
    key integer primary key autoincrement,
    id text not null unique,
    project text not null,
    file integer not null,
    root text not null,
    path text not null,
    start_line integer not null check (start_line >= 1),
    end_line integer not null check (end_line >= start_line),
    heading text not null,
    text text not null check (length(text) > 0),
    hash text not null check (length(hash) = 64),
    terms text not null,
    name_terms text not null,
    -- the headings above: ranked by, not indexed, so that a new title does not index a whole file anew
    heading_terms text not null,
    length integer not null check (length >= 0)
) strict;
create index chunks_by_file on chunks (project, file, start_line);

-- Only whole words are asked for: the index need not know where in a chunk they stand.
create virtual table chunks_fts using fts5 (
    terms, name_terms, content = 'chunks', content_rowid = 'key', tokenize = 'ascii', detail = none, columnsize = 0
);
create virtual table chunks_vocabulary using fts5vocab ('chunks_fts', 'row');
insert into corpora (name, rows, terms) values ('chunks', 0, 0);

-- No triggers: FTS5 writes to disk whenever a trigger reaches it, which made a first sync four times as slow. Whoever
-- writes chunks writes their index and their counts in the same transaction.

-- How fresh the files of a project are. Dirty: more changes were noticed than were synced.
create table sync_state (
    project text primary key,
    roots text not null default '[]' check (json_type(roots) = 'array'),
    noticed integer not null default 0,
    synced integer not null default 0,
    last_sync_at text,
    watched_files integer not null default 0,
    -- who watches: a process and its machine; it may have died since
    watcher text,
    polling text
) strict, without rowid;

-- Memory sessions: which files a conversation had in memory when it began.
create table memory_sessions (
    key integer primary key,
    id text not null unique,
    project text not null,
    name text not null,
    status text not null default 'active' check (status in ('active', 'archived')),
    roots text not null check (json_type(roots) = 'array'),
    snapshot text not null,
    created_at text not null,
    archived_at text
) strict;
create index memory_sessions_by_project on memory_sessions (project, status, key);

-- The files and hashes of one moment; sessions that began with the same files share a row.
create table file_snapshots (
    project text not null,
    hash text not null,
    files text not null check (json_type(files) = 'array'),
    primary key (project, hash)
) strict, without rowid;

-- Every search of a session, and the chunks it showed, word for word.
create table file_searches (
    key integer primary key,
    id text not null unique,
    project text not null,
    session text,
    response text,
    query text not null,
    method text not null,
    created_at text not null
) strict;
create index file_searches_by_session on file_searches (project, session, key);
create index file_searches_by_response on file_searches (project, response, key);

create table shown_chunks (
    search text not null,
    position integer not null,
    project text not null,
    chunk text not null,
    root text not null,
    path text not null,
    start_line integer not null,
    end_line integer not null,
    heading text not null,
    hash text not null,
    score real not null,
    primary key (search, position)
) strict, without rowid;

create table shown_texts (
    project text not null,
    hash text not null,
    text text not null,
    primary key (project, hash)
) strict, without rowid;
